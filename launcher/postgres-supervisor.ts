/** Supervises the embedded PostgreSQL: a server that dies is restarted at the same address. */
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'

/** A supervised database server. */
export type SupervisedPostgres = { readonly connectionString: string; stop(): Promise<void> }

const RESTART_DELAY_MILLISECONDS = 250

/** Starts the server of a folder and restarts it until it is stopped. */
export async function supervisePostgres(dataDir: string, say: (line: string) => void): Promise<SupervisedPostgres> {
  const stopping = new AbortController()
  const begin = () => startEmbeddedPostgres({ dataDir, log: { info: say } })
  let current = await begin()
  const { connectionString } = current
  const watch = async (): Promise<void> => {
    await current.ended
    while (!stopping.signal.aborted) {
      say('PostgreSQL ended; restarting it')
      await pause(RESTART_DELAY_MILLISECONDS)
      try {
        current = await begin()
        await current.ended
      } catch (error) {
        say(String(error))
      }
    }
  }
  const watched = watch()
  return {
    connectionString,
    stop: async () => {
      stopping.abort()
      await current.stop()
      await watched
      // A restart may have been in progress.
      await current.stop()
    },
  }
}
