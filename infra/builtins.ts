import { builtinModules } from 'node:module';
import type { Plugin } from 'rolldown';

const PREFIX = '\0node:';
const RUNTIME = '\0rolldown/';
const NAMES = new RegExp(`^(?:node:)?(?:${builtinModules.filter((name) => !name.includes(':')).join('|')})$`);

/**
 * Makes bundles load Node's own modules without an `import`. An `import` reads every property of the module at once.
 * Some parts of Node are loaded only when their property is read: importing `node:http` would load all of
 * `fetch`.
 */
export const builtinsUnread: Plugin = {
  name: 'builtins-unread',
  resolveId: {
    filter: { id: NAMES },
    // The bundler's own runtime must not import these modules, because they import it.
    handler: (id, importer) =>
      importer?.startsWith(RUNTIME) ? undefined : `${PREFIX}${id.replace(/^node:/, '')}`,
  },
  load: {
    filter: { id: /^\0node:/ },
    handler: (id) => ({
      code: `module.exports = process.getBuiltinModule(${JSON.stringify(id.slice(1))});`,
      moduleSideEffects: false,
    }),
  },
};
