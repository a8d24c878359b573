import { expect, it } from 'vitest';
import { ApprovalTickets, MOST_TICKETS_OF_ONE, TICKET_MILLISECONDS } from './approvalTickets.ts';

const asked = (digest: string, callDigest = digest) => ({ digest, callDigest });

it('a client that opens many questions makes its own oldest void, and those of no other client', () => {
  const tickets = new ApprovalTickets();
  const byOther = tickets.issue(asked('other'), 'other');
  const first = tickets.issue(asked('first'), 'greedy');
  const second = tickets.issue(asked('second'), 'greedy');
  for (let count = 0; count < MOST_TICKETS_OF_ONE - 1; count += 1) tickets.issue(asked('more'), 'greedy');
  expect(tickets.redeem(first, asked('first'))).toBe('bad');
  expect(tickets.redeem(second, asked('second'))).toBe('good');
  for (let count = 0; count < 2_000; count += 1) tickets.issue(asked('more'), 'greedy');
  expect(tickets.redeem(byOther, asked('other'))).toBe('good');
});

it('1,000 questions of all clients are open at most', () => {
  const tickets = new ApprovalTickets();
  const first = tickets.issue(asked('first'), 'client');
  const second = tickets.issue(asked('second'), 'client');
  for (let count = 0; count < 999; count += 1) tickets.issue(asked('more'), `client ${count}`);
  expect(tickets.redeem(first, asked('first'))).toBe('bad');
  expect(tickets.redeem(second, asked('second'))).toBe('good');
});

it('a ticket is good for one answer to its own question, for a while', () => {
  let now = 0;
  const tickets = new ApprovalTickets(() => now);
  const [other, once, late] = [
    tickets.issue(asked('a'), 'client'),
    tickets.issue(asked('a'), 'client'),
    tickets.issue(asked('a'), 'client'),
  ];
  expect(tickets.redeem(other, asked('b'))).toBe('bad');
  expect(tickets.redeem(other, asked('a'))).toBe('bad');
  expect(tickets.redeem(once, asked('a'))).toBe('good');
  expect(tickets.redeem(once, asked('a'))).toBe('bad');
  now = TICKET_MILLISECONDS;
  expect(tickets.redeem(late, asked('a'))).toBe('bad');
});

it('a ticket for the same call is said to be one for another change, and is used up', () => {
  const tickets = new ApprovalTickets();
  const ticket = tickets.issue(asked('reads', 'call'), 'client');
  expect(tickets.redeem(ticket, asked('destroys', 'call'))).toBe('changed');
  expect(tickets.redeem(ticket, asked('reads', 'call'))).toBe('bad');
  expect(tickets.redeem(tickets.issue(asked('a', 'call'), 'client'), asked('b', 'other'))).toBe('bad');
});
