/** Defines the page size of the request log and its filter by status, without schemas: commands need only these. */

/** The classes of statuses by which requests are filtered. */
export const LOGGED_STATUS_CLASSES = ['2xx', '4xx', '5xx', 'errors'] as const

/** The page size of the request log. */
export const REQUESTS_PER_PAGE = { default: 100, max: 500 } as const
