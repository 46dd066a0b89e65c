/** A place where files are exchanged with a bank, whatever lies between. */

import type { FileSeen } from '../file-product.ts'

/** Paths are relative to where the bank's address leads; a name begins with no dot and holds no slash. */
export type FileChannel = {
  /** Writes a whole file, in place of one of that name. It may be there in part after a failure. */
  write(path: string, parts: AsyncIterable<string>): Promise<void>
  /** Gives a file another name, in one step; `missing` where there is none. */
  move(from: string, to: string): Promise<'moved' | 'missing'>
  /** The files in a folder, in the order of their names; folders and hidden files are left out. */
  list(folder: string): Promise<readonly FileSeen[]>
  /** Fails when the file is longer than that, before it is in memory. */
  read(path: string, bytesMax: number): Promise<Buffer>
  close(): Promise<void>
}

/** A file by what its place says of it: size in bytes, and when it was written, in whatever unit the place counts. */
export function seen(name: string, size: number, modifiedAt: number): FileSeen {
  return { name, version: `${size} ${modifiedAt}` }
}

/** Files in the order of their names; what is hidden is nobody's business. */
export function shownFiles(files: readonly FileSeen[]): readonly FileSeen[] {
  return files.filter(({ name }) => !name.startsWith('.')).toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
