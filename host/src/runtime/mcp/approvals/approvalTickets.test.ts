import { expect, it } from 'vitest';
import { ApprovalTickets, MOST_TICKETS_OF_ONE, TICKET_MILLISECONDS } from './approvalTickets.ts';

it('a client that opens many questions makes its own oldest void, and those of no other client', () => {
  const tickets = new ApprovalTickets();
  const byOther = tickets.issue('other', 'other');
  const first = tickets.issue('first', 'greedy');
  const second = tickets.issue('second', 'greedy');
  for (let count = 0; count < MOST_TICKETS_OF_ONE - 1; count += 1) tickets.issue('more', 'greedy');
  expect(tickets.redeem(first, 'first')).toBe(false);
  expect(tickets.redeem(second, 'second')).toBe(true);
  for (let count = 0; count < 2_000; count += 1) tickets.issue('more', 'greedy');
  expect(tickets.redeem(byOther, 'other')).toBe(true);
});

it('1,000 questions of all clients are open at most', () => {
  const tickets = new ApprovalTickets();
  const first = tickets.issue('first', 'client');
  const second = tickets.issue('second', 'client');
  for (let count = 0; count < 999; count += 1) tickets.issue('more', `client ${count}`);
  expect(tickets.redeem(first, 'first')).toBe(false);
  expect(tickets.redeem(second, 'second')).toBe(true);
});

it('a ticket is good for one answer to its own question, for a while', () => {
  let now = 0;
  const tickets = new ApprovalTickets(() => now);
  const [other, once, late] = [tickets.issue('a', 'client'), tickets.issue('a', 'client'), tickets.issue('a', 'client')];
  expect(tickets.redeem(other, 'b')).toBe(false);
  expect(tickets.redeem(other, 'a')).toBe(false);
  expect(tickets.redeem(once, 'a')).toBe(true);
  expect(tickets.redeem(once, 'a')).toBe(false);
  now = TICKET_MILLISECONDS;
  expect(tickets.redeem(late, 'a')).toBe(false);
});
