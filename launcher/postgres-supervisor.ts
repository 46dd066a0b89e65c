/** Keeps the embedded PostgreSQL running: a server that dies is started again at the same address. */
import { setTimeout as pause } from 'node:timers/promises'
import { startEmbeddedPostgres } from './embedded-postgres/embedded-postgres.ts'

/** A database server that is kept running. */
export type KeptPostgres = { readonly connectionString: string; stop(): Promise<void> }

const RESTART_DELAY_MILLISECONDS = 250

/** Starts the server of a folder and keeps it running until told to stop. */
export async function keepPostgres(dataDir: string, say: (line: string) => void): Promise<KeptPostgres> {
  const stopping = new AbortController()
  const begin = () => startEmbeddedPostgres({ dataDir, log: { info: say } })
  let current = await begin()
  const { connectionString } = current
  const watch = async (): Promise<void> => {
    await current.ended
    while (!stopping.signal.aborted) {
      say('PostgreSQL ended; starting it again')
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
      // A restart may have been under way.
      await current.stop()
    },
  }
}
