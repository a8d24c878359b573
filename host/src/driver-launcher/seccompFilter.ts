import type { ArgumentCheck, SeccompPlan } from './launchPlan.ts';

/** The inputs of a filter besides the plan: the process, and where it keeps the arguments of the program that it becomes. */
export interface FilterProcess {
  readonly pid: number;
  readonly execute: readonly [path: bigint, values: bigint, environment: bigint];
}

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

const AUDIT_ARCHITECTURE = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
/** Numbers from here on are those of x32 programs, under the same architecture. */
const X32 = 0x40000000;
const KILL_PROCESS = 0x80000000;
const ALLOW = 0x7fff0000;
const ERROR = 0x00050000;
const EPERM = 1;
const ENOSYS = 38;

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const and = (mask: number): Instruction => [0x54, 0, 0, mask];
const equal = (value: number, whenTrue: number, whenFalse: number): Instruction => [0x15, whenTrue, whenFalse, value];
const atLeast = (value: number, whenTrue: number, whenFalse: number): Instruction => [0x35, whenTrue, whenFalse, value];
const end = (value: number): Instruction => [0x06, 0, 0, value];

const NUMBER = 0;
const ARCHITECTURE = 4;
const lowOf = (argument: number): number => 16 + argument * 8;
const highOf = (argument: number): number => lowOf(argument) + 4;

/** The filter as the kernel takes it: 8 bytes for each instruction. */
export function seccompFilter(plan: SeccompPlan, process: FilterProcess): Uint8Array {
  const instructions: Instruction[] = [
    load(ARCHITECTURE),
    equal(AUDIT_ARCHITECTURE[plan.architecture], 1, 0),
    end(KILL_PROCESS),
    load(NUMBER),
    ...(plan.architecture === 'x64' ? [atLeast(X32, 0, 1), end(KILL_PROCESS)] : []),
    ...plan.allowed.flatMap((call) => [equal(call, 0, 1), end(ALLOW)]),
    ...plan.refused.flatMap((call) => [equal(call, 0, 1), end(ERROR | EPERM)]),
    ...plan.conditional.flatMap(({ call, any }) =>
      when(
        call,
        any.map((checks) => checks.flatMap(toTest)),
      ),
    ),
    ...plan.ownProcess.flatMap((call) => when(call, [[{ offset: lowOf(0), mask: 0xffffffff, value: process.pid }]])),
    ...when(plan.execute, [process.execute.flatMap((address, index) => addressTests(index, address))]),
    end(ERROR | ENOSYS),
  ];
  return encoded(instructions);
}

interface Test {
  readonly offset: number;
  readonly mask: number;
  readonly value: number;
}

function toTest({ argument, mask, value }: ArgumentCheck): Test[] {
  return [{ offset: lowOf(argument), mask, value }];
}

function addressTests(argument: number, address: bigint): Test[] {
  return [
    { offset: lowOf(argument), mask: 0xffffffff, value: Number(address & 0xffffffffn) },
    { offset: highOf(argument), mask: 0xffffffff, value: Number(address >> 32n) },
  ];
}

/** For one call: allowed where all tests of one list hold, else refused. */
function when(call: number, lists: readonly (readonly Test[])[]): Instruction[] {
  const blocks = lists.map((tests) => {
    const size = tests.length * 3 + 1;
    return [
      ...tests.flatMap(({ offset, mask, value }, index): Instruction[] => [
        load(offset),
        and(mask),
        // Where it does not hold, to the next list.
        equal(value >>> 0, 0, size - index * 3 - 3),
      ]),
      end(ALLOW),
    ];
  });
  const body = [...blocks.flat(), end(ERROR | EPERM)];
  if (body.length > 255) throw new Error('A jump of a filter is too far');
  return [equal(call, 0, body.length), ...body];
}

function encoded(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(instructions.length * 8);
  const view = new DataView(bytes.buffer);
  for (const [index, [code, whenTrue, whenFalse, value]] of instructions.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, whenTrue);
    view.setUint8(index * 8 + 3, whenFalse);
    view.setUint32(index * 8 + 4, value >>> 0, true);
  }
  return bytes;
}
