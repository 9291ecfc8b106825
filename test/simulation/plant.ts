/**
 * Plants a bug in one module as it is loaded, to show that the simulation finds it:
 * `PLANT='{"file": …, "replace": …, "by": …}' node --import ./test/simulation/plant.ts test/simulation/simulate.ts`.
 */
import { registerHooks } from 'node:module';

type Plant = { file: string; replace: string; by: string };

const plants = [JSON.parse(process.env.PLANT ?? '[]') as Plant | Plant[]].flat();

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    let source = String(loaded.source);
    for (const { file, replace, by } of plants.filter((each) => url.endsWith(each.file))) {
      // A bug that is not there proves nothing.
      if (!source.includes(replace)) throw new Error(`${file} does not say: ${replace}`);
      source = source.replaceAll(replace, () => by);
      loaded.source = source;
    }
    return loaded;
  },
});
