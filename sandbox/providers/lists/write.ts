import { writeFileSync } from 'node:fs';
import { listFiles } from './files.ts';

for (const [name, make] of Object.entries(listFiles)) writeFileSync(new URL(name, import.meta.url), make());
