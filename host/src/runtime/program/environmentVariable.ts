/** The value of a variable that a person names. The platform's environment also has members beside its variables, such as `constructor`. */
export function environmentVariable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  const value: unknown = env[name];
  return typeof value === 'string' ? value : undefined;
}
