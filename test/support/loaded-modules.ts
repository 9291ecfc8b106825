/** Imported before a program (`node --import`), it prints the modules that the program has loaded. */
import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  load(url, context, next) {
    loaded.push(url);
    return next(url, context);
  },
});
process.on('exit', () => process.stderr.write(`\n${JSON.stringify({ loaded })}\n`));
