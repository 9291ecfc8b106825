/** `npm run benchmark`: every claim about cost and speed, measured now on this machine. */
await import('./purchase-cost.ts');
console.log('');
await import('./cold-start.ts');
console.log('');
await import('./laptop.ts');
