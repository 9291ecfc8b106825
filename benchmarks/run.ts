/** `npm run benchmark` measures all claims about cost and speed on this machine. */
await import('./purchase-cost.ts');
console.log('');
await import('./aws-bill.ts');
console.log('');
await import('./cold-start.ts');
console.log('');
await import('./laptop.ts');
