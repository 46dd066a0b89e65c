/** Opens the log files of programs on one machine, and reads their ends. */
import { fchmodSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'

const TAIL_CHARACTERS = 2_000
/** Statements that fail are logged with their values. */
const OWNER_ONLY = 0o600

/** The descriptor of the file, to which programs append. A larger file is moved aside. */
export function openLogFile(path: string, bytesMax: number): number {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > bytesMax) {
    renameSync(path, `${path}.1`)
  }
  const file = openSync(path, 'a', OWNER_ONLY)
  // One that an earlier version created was readable by every user of the machine.
  fchmodSync(file, OWNER_ONLY)
  return file
}

export function tailOf(path: string): string {
  return readFileSync(path, 'utf8').slice(-TAIL_CHARACTERS)
}
