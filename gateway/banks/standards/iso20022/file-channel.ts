/** The interface of channels that exchange files with a bank, and shared helpers. */

import { type ListedFile, UnreadableFileError } from '../../connector/file-product.ts'

/** Paths are relative to the bank's address; names contain no slash and do not start with a dot. */
export type FileChannel = AsyncDisposable & {
  /** Writes or replaces a file. A failure leaves a partial file only when the connection was lost. */
  write(path: string, parts: AsyncIterable<string>): Promise<void>
  /** Renames a file atomically; `missing` where it does not exist. */
  move(from: string, to: string): Promise<'moved' | 'missing'>
  /** Deletes a file; idempotent. */
  remove(path: string): Promise<void>
  /** The files in a folder, sorted by name, without folders and hidden files. */
  list(folder: string): Promise<readonly ListedFile[]>
  /** Throws `UnreadableFileError`, also for a file above `bytesMax`, before reading it into memory. */
  read(path: string, bytesMax: number): Promise<Buffer>
}

/** File metadata: size in bytes, and the modification time in the channel's own unit. */
export function toListedFile(name: string, size: number, modifiedAt: number): ListedFile {
  return { name, version: `${size} ${modifiedAt}` }
}

/** The error for a file above the size limit. */
export function fileTooLongError(size: number, bytesMax: number): UnreadableFileError {
  return new UnreadableFileError(`A file of the bank has ${size} bytes; the limit is ${bytesMax}`, true)
}

/** Files sorted by name, without hidden ones and invalid names. */
export function visibleFiles(files: readonly ListedFile[]): readonly ListedFile[] {
  return files
    .filter(({ name }) => !name.startsWith('.') && !name.includes('\0'))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}
