/** Finds the PostgreSQL of Debian's packages, which has the programs for backups that the embedded one lacks. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the packages install each major version. */
export const DEBIAN_POSTGRES = '/usr/lib/postgresql'

/** The newest version and the folder of its programs; undefined where none is installed. */
export async function findDebianPostgres(): Promise<
  { readonly version: string; readonly programs: string } | undefined
> {
  const versions = await readdir(DEBIAN_POSTGRES).catch(() => [])
  const [version] = versions.toSorted((one, other) => Number(other) - Number(one))
  return version === undefined ? undefined : { version, programs: join(DEBIAN_POSTGRES, version, 'bin') }
}
