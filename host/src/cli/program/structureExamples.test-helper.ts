/** Of the structure of tables. */
export const structureExamples = {
  describe: [
    {
      line: 'describe Shop public.orders --json',
      answer: {
        name: 'public.orders',
        kind: 'table',
        comment: 'One row for each order.',
        columns: [
          { name: 'id', type: 'bigint', nullable: false, generated: { kind: 'identityAlways' } },
          { name: 'customer', type: 'bigint', nullable: false },
          { name: 'state', type: 'text', nullable: false, default: "'open'::text", comment: 'open, paid or sent' },
        ],
        key: ['id'],
        defaultSort: [{ column: 'id', direction: 'ascending' }],
        indexes: [
          { name: 'orders_pkey', columns: [{ name: 'id' }], unique: true, primary: true, method: 'btree' },
          {
            name: 'open_orders',
            columns: [{ name: 'customer' }],
            unique: false,
            method: 'btree',
            where: "(state = 'open'::text)",
          },
        ],
        foreignKeys: [{ name: 'orders_customer_fkey', columns: ['customer'], table: 'public.customers', tableColumns: ['id'] }],
        referredBy: [{ name: 'lines_order_fkey', columns: ['id'], table: 'public.lines', tableColumns: ['order'] }],
        triggers: [{ name: 'audit', timing: 'after', events: ['insert', 'update'], level: 'row', calls: 'public.audit()' }],
        notes: [],
      },
    },
  ],
};
