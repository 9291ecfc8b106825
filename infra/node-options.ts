/**
 * Options of Node for functions that search the lists. Lambda's default gives a tenth of the memory to young objects,
 * and a search makes few of them. Small semi-spaces (MiB) keep the process small. `npm run bench:screening` runs with
 * the same option and shows no loss of speed.
 */
export const SEARCH_NODE_OPTIONS = '--max-semi-space-size=4';
