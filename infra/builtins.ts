import { builtinModules } from 'node:module';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'builtin';
const NAMES = new RegExp(`^(?:node:)?(?:${builtinModules.filter((name) => !name.includes(':')).join('|')})$`);

/**
 * Loads Node's own modules by `require`. An `import` reads each property of such a module at once. Node loads some of
 * its parts only when their property is read: `node:http` would load the whole of `fetch`.
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
