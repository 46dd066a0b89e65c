/** The URL of a test database through the pooler of `npm run test:deploy`, where there is one. */

/** `HAVN_TEST_POOLER` names it as host and port. */
export function pooledUrl(connectionString: string): string {
  const pooler = process.env['HAVN_TEST_POOLER']
  const { username, pathname } = new URL(connectionString)
  return pooler === undefined ? connectionString : `postgres://${username}@${pooler}${pathname}`
}
