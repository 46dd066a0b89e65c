/** The settings of the search index, which the server and the browser share. */

/** @type {import('minisearch').Options} */
export const SEARCH_OPTIONS = {
  fields: ['title', 'place', 'text', 'names'],
  storeFields: ['title', 'place'],
  searchOptions: { boost: { title: 4, names: 2, place: 2 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  // Words of camelCase and SCREAMING_SNAKE names are found, and so are the names.
  tokenize: (text) => [...text.split(/[^\p{L}\p{N}_-]+/u), ...text.split(/[^\p{L}\p{N}]+|(?<=[a-z])(?=[A-Z])/u)],
}

/** How many results are shown. */
export const RESULTS_MAX = 12
