/** The paths of the files that documentation pages load. */

export const STYLE_PATH = '/docs/assets/docs.css'

export const SCRIPT_PATHS = {
  /** Copy buttons, language tabs and the search field. */
  page: '/docs/assets/page.mjs',
  /** The forms that send examples. */
  tryIt: '/docs/assets/try-it.mjs',
  search: '/docs/assets/minisearch.mjs',
} as const

export const SEARCH_INDEX_PATH = '/docs/assets/search-index.json'
export const SEARCH_OPTIONS_PATH = '/docs/assets/search-options.mjs'
/** The operations as a Postman collection. */
export const POSTMAN_PATH = '/docs/havn.postman_collection.json'
