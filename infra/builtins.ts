import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'builtin';
const NAMES = new RegExp(`^(?:node:)?(?:${builtinModules.filter((name) => !name.includes(':')).join('|')})$`);

/**
 * Makes bundles load Node's own modules by `require`. An `import` reads every property of the module at once.
 * Some parts of Node are loaded only when their property is read: importing `node:http` would load all of
 * `fetch`.
 */
export const builtinsByRequire: Plugin = {
  name: 'builtins-by-require',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: NAMES }, ({ path, namespace }) =>
      namespace === NAMESPACE
        ? { path, external: true }
        : { path: path.replace(/^node:/, ''), namespace: NAMESPACE },
    );
    onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(`node:${path}`)});`,
    }));
  },
};
