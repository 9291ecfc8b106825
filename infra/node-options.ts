/**
 * The Node options of functions that search the sanctions lists. By default Node reserves a tenth of Lambda's memory
 * for young objects, and a search makes few of them. Small semi-spaces (in MiB) keep the process small. `npm run
 * bench:screening` uses the same option and is not slower.
 */
export const SEARCH_NODE_OPTIONS = '--max-semi-space-size=4';
