/** Finds out whether the server of the database is of a release that Havn supports. */
import type pg from 'pg'

const VERSION_NUMBER_MIN = 150_000

export const SERVER_UPGRADE = 'Upgrade the server with pg_upgrade, or move the database to a newer one.'

/** What is wrong with the release of the server; undefined when it is supported. */
export async function findServerVersionProblem(queries: Pick<pg.Pool, 'query'>): Promise<string | undefined> {
  const { rows } = await queries.query<{ number: number; version: string }>(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as version",
  )
  const outdated = rows.find(({ number }) => number < VERSION_NUMBER_MIN)
  return outdated && `The server is PostgreSQL ${outdated.version}, and Havn needs 15 or newer`
}
