/**
 * `npm run benchmark` measures on this machine: the cost of a purchase, the AWS bill, the cold starts, and
 * the load of `npm start`.
 */
await import('./purchase-cost.ts');
console.log('');
await import('./aws-bill.ts');
console.log('');
await import('./cold-start.ts');
console.log('');
await import('./laptop.ts');
