/** Packs a folder as a tar archive whose bytes depend on its files alone: names in order, one date, no owner. */
import { chmod, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { create } from 'tar'

/** What is packed: everything in `folder`, with names below `prefix` in the archive. */
export type TarContents = {
  readonly folder: string
  /** Where it is in the archive, for example `havn-1.0.0`; the root of the archive by default. */
  readonly prefix?: string
  /** The date of every entry, in milliseconds. */
  readonly dateMilliseconds: number
}

const EXECUTABLE = 0o755
const READABLE = 0o644

/** Writes `file`; gzipped unless its name says plain `.tar`. */
export async function packReproducibly(file: string, { folder, prefix, dateMilliseconds }: TarContents): Promise<void> {
  const names = await namesIn(folder)
  await Promise.all(names.map(({ name, isLink }) => (isLink ? undefined : settleMode(join(folder, name)))))
  const options = {
    file,
    cwd: folder,
    gzip: file.endsWith('.tar') ? false : { level: 9 },
    // No owner, no access times, and no system in the header of gzip.
    portable: true,
    noDirRecurse: true,
    mtime: new Date(dateMilliseconds),
    ...(prefix === undefined ? {} : { prefix }),
  }
  await create(
    options,
    names.map(({ name }) => name),
  )
}

/** Folders before what is in them, in the order of their bytes. */
async function namesIn(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .map((entry) => ({
      name: join(entry.parentPath, entry.name).slice(folder.length).replace(/^\/+/, ''),
      isLink: entry.isSymbolicLink(),
    }))
    .sort((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)))
}

/** The mode must not depend on the umask of the builder. */
async function settleMode(path: string): Promise<void> {
  const found = await stat(path)
  const isExecutable = found.isDirectory() || (found.mode & 0o111) !== 0
  await chmod(path, isExecutable ? EXECUTABLE : READABLE)
}
