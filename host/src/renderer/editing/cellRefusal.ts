import { notify, withdraw } from '../state/notify.ts';

const ABOUT = 'cell that was refused';

/** Says why the active cell or row can't be changed, until another cell is the active one. */
export function refuse(reason: string): void {
  notify({ tone: 'warning', text: reason, about: ABOUT });
}

export function withdrawRefusal(): void {
  withdraw(ABOUT);
}
