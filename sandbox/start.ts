/** `npm start`. The service itself is in `serve.ts`, which is imported once its compiled code can be kept. */
import { keepCompiledCode } from './code-cache.ts';

keepCompiledCode();
await import('./serve.ts');
