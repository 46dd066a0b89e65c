/** Exchanges files through a local or mounted directory, e.g. that of the bank's own client. */
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BankError } from '../../connector/bank-error.ts'
import { type ListedFile, UnreadableFileError } from '../../connector/file-product.ts'
import { type FileChannel, fileTooLongError, toListedFile, visibleFiles } from './file-channel.ts'

/** Opens the directory of a `file:` URL. */
export async function openDirectory(address: string): Promise<FileChannel> {
  const folder = fileURLToPath(address)
  // The bank's file names are not URL-encoded.
  const at = (path: string) => join(folder, path)
  return {
    write: (path, parts) => asBankError(writeDurably(at(path), parts)),
    move: (from, to) => asBankError(move(at(from), at(to))),
    remove: (path) => asBankError(rm(at(path), { force: true })),
    list: async (inside) => visibleFiles(await asBankError(listFiles(at(inside)))),
    read: (path, bytesMax) => asBankError(readAtMost(at(path), bytesMax)),
    [Symbol.asyncDispose]: async () => undefined,
  }
}

/** A submitted file must survive a crash of the machine: the bank's client may read it at once. */
async function writeDurably(path: string, parts: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    // A single write may store a part of the text only, as on a full disk.
    await file.writeFile(parts)
    await file.sync()
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}

async function move(from: string, to: string): Promise<'moved' | 'missing'> {
  try {
    await rename(from, to)
    return 'moved'
  } catch (error) {
    // The missing part may be the target folder.
    if (codeOf(error) === 'ENOENT' && !(await exists(from))) {
      return 'missing'
    }
    throw error
  }
}

/** A file that is removed during the listing is left out. */
async function listFiles(folder: string): Promise<readonly ListedFile[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => {
        const facts = await stat(join(folder, name)).catch(() => undefined)
        return facts === undefined ? [] : [toListedFile(name, facts.size, facts.mtimeMs)]
      }),
  )
  return found.flat()
}

async function readAtMost(path: string, bytesMax: number): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size > bytesMax) {
      throw fileTooLongError(size, bytesMax)
    }
    return await readFile(path)
  } catch (error) {
    const code = codeOf(error)
    throw code === undefined
      ? error
      : new UnreadableFileError(`A file of the bank cannot be read: ${code}`, false, error)
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

/** The error shows only the code: the path contains a file name. */
async function asBankError<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) {
      throw error
    }
    const kind = code === 'EACCES' || code === 'EPERM' ? 'misconfigured' : 'unavailable'
    throw new BankError(kind, `The bank’s directory cannot be used: ${code}`, [], error)
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
