/** A place where files are exchanged with a bank, whatever lies between. */

import { type FileSeen, FileUnreadable } from '../file-product.ts'

/** Paths are relative to where the bank's address leads; a name begins with no dot and holds no slash. */
export type FileChannel = {
  /** Writes a whole file, in place of one of that name. After a failure it is there in part only where the way was cut. */
  write(path: string, parts: AsyncIterable<string>): Promise<void>
  /** Gives a file another name, in one step; `missing` where there is none. */
  move(from: string, to: string): Promise<'moved' | 'missing'>
  /** Removes a file; one that is not there counts as removed. */
  remove(path: string): Promise<void>
  /** The files in a folder, in the order of their names; folders and hidden files are left out. */
  list(folder: string): Promise<readonly FileSeen[]>
  /** Throws `FileUnreadable`, also when the file is longer than that, before it is in memory. */
  read(path: string, bytesMax: number): Promise<Buffer>
  close(): Promise<void>
}

/** A file by what its place says of it: size in bytes, and when it was written, in whatever unit the place counts. */
export function seen(name: string, size: number, modifiedAt: number): FileSeen {
  return { name, version: `${size} ${modifiedAt}` }
}

/** That a file is longer than what is read. */
export function tooLong(size: number, bytesMax: number): FileUnreadable {
  return new FileUnreadable(`A file of the bank has ${size} bytes, more than ${bytesMax}`, true)
}

/** Files in the order of their names; what is hidden, or has a name that no file can have, is nobody's business. */
export function shownFiles(files: readonly FileSeen[]): readonly FileSeen[] {
  return files
    .filter(({ name }) => !name.startsWith('.') && !name.includes('\0'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
