/** Exchanges files through a directory: that of the bank's own client on this machine, or one that is mounted. */
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BankRefusal } from '../../connector/bank-error.ts'
import { type FileSeen, FileUnreadable } from '../../file-product.ts'
import { type FileChannel, seen, shownFiles, tooLong } from '../../iso20022/file-channel.ts'

/** Opens the directory that a `file:` address names. */
export async function openDirectory(address: string): Promise<FileChannel> {
  const folder = fileURLToPath(address)
  // Names of a bank's files are no parts of an address: what is escaped there stands for itself here.
  const at = (path: string) => join(folder, path)
  return {
    write: (path, parts) => told(writeDurably(at(path), parts)),
    move: (from, to) => told(move(at(from), at(to))),
    remove: (path) => told(rm(at(path), { force: true })),
    list: async (inside) => shownFiles(await told(listFiles(at(inside)))),
    read: (path, bytesMax) => told(readAtMost(at(path), bytesMax)),
    close: async () => undefined,
  }
}

/** What was handed over must survive the machine: the bank's client may take it and forget it. */
async function writeDurably(path: string, parts: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    for await (const part of parts) {
      await file.write(part)
    }
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
    // The folder that it is moved to may be what is missing.
    if (codeOf(error) === 'ENOENT' && !(await exists(from))) {
      return 'missing'
    }
    throw error
  }
}

/** What is taken away while it is listed is not there. */
async function listFiles(folder: string): Promise<readonly FileSeen[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ name }) => {
        const facts = await stat(join(folder, name)).catch(() => undefined)
        return facts === undefined ? [] : [seen(name, facts.size, facts.mtimeMs)]
      }),
  )
  return found.flat()
}

async function readAtMost(path: string, bytesMax: number): Promise<Buffer> {
  try {
    const { size } = await stat(path)
    if (size > bytesMax) {
      throw tooLong(size, bytesMax)
    }
    return await readFile(path)
  } catch (error) {
    const code = codeOf(error)
    throw code === undefined ? error : new FileUnreadable(`A file of the bank cannot be read: ${code}`, false, error)
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  )
}

/** The error's code is told, and not its path, which holds a file's name. */
async function told<Value>(work: Promise<Value>): Promise<Value> {
  try {
    return await work
  } catch (error) {
    const code = codeOf(error)
    if (code === undefined) {
      throw error
    }
    const kind = code === 'EACCES' || code === 'EPERM' ? 'misconfigured' : 'unavailable'
    throw new BankRefusal(kind, `The bank’s directory cannot be used: ${code}`, [], error)
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
