import type { ReactNode } from 'react';
import type { Problem } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';

interface Props {
  readonly problems: readonly { readonly title: string; readonly problem: Problem | undefined }[];
}

/** Several parts of a dialog ask the same server, and fail for the same reason: it is said once. */
export function ProblemsOnce({ problems }: Props): ReactNode {
  const said = new Set<string>();
  return problems.map(({ title, problem }, place) => {
    if (problem === undefined || said.has(problem.message)) return null;
    said.add(problem.message);
    return <ProblemPanel key={place} compact title={title} problem={problem} />;
  });
}
