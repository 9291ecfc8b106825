/**
 * How Node runs where people are searched. Lambda gives young objects a tenth of a function's memory, be they needed
 * or not; a search leaves little behind, so small semi-spaces (MiB) keep the process small and cost no time that
 * `npm run bench:screening` could see: it measures with the same.
 */
export const SEARCH_NODE_OPTIONS = '--max-semi-space-size=4';
