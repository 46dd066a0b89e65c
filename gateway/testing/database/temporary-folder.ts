/** Chooses where the PostgreSQL of a test run stores its data: in memory where there is enough, otherwise on disk. */
import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'

/** The file system of Linux that is held in memory. */
const IN_MEMORY = '/dev/shm'
/** A run needs one gigabyte: up to a dozen databases at a time, and the write-ahead log. */
const FREE_BYTES_MIN = 3 * 1024 ** 3

/** Every folder in which a run may have stored data. */
export const TEMPORARY_FOLDERS: readonly string[] = [IN_MEMORY, tmpdir()]

/** The folder for a new run. Creating and deleting a database takes a third of the time in memory. */
export async function chooseTemporaryFolder(): Promise<{ readonly path: string; readonly isInMemory: boolean }> {
  const free = await statfs(IN_MEMORY).then(
    ({ bavail, bsize }) => Math.min(bavail * bsize, process.availableMemory()),
    () => 0,
  )
  return free >= FREE_BYTES_MIN ? { path: IN_MEMORY, isInMemory: true } : { path: tmpdir(), isInMemory: false }
}
