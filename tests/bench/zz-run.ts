import 'reflect-metadata';
const { postgresBudgets } = await import('./postgres.ts');
const b = await postgresBudgets();
for (const x of b) console.log(x.holds ? 'holds' : 'BROKEN', x.name, x.value, x.unit, '(limit', x.limit + ')');
process.exit(0);
