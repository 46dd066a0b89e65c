/** Exchanges files with a bank's server over SFTP: our key opens it, and the server must show a key that we know. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'
import { BankRefusal } from '../../connector/bank-error.ts'
import { type FileSeen, FileUnreadable } from '../../file-product.ts'
import { type FileChannel, seen, shownFiles, tooLong } from '../../iso20022/file-channel.ts'
import { keysOfHost } from './known-hosts.ts'

/** What servers know us by, and whom we take for them. */
export type SftpIdentity = {
  /** A private key as OpenSSH or PEM writes it, without a passphrase. */
  readonly privateKey: string
  /** Lines of a `known_hosts` file. */
  readonly knownHosts: string
}

const CONNECT_MILLISECONDS = 15_000
/** A server that says nothing for so long, while a file goes over, is gone. */
const ALIVE_EVERY_MILLISECONDS = 10_000
const ALIVE_MISSED_MAX = 3
/** Of one look, one rename, one file. */
const WORK_MILLISECONDS = 120_000
const READ_BYTES = 1_000_000
/** SSH_FX_NO_SUCH_FILE and SSH_FX_PERMISSION_DENIED (draft-ietf-secsh-filexfer-02, section 7). */
const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3

/** Reads both anew: they may be replaced while the program runs. */
export async function readSftpIdentity(
  files: { readonly keyFile: string; readonly knownHostsFile: string } | null,
): Promise<SftpIdentity | null> {
  if (files === null) {
    return null
  }
  const [privateKey, knownHosts] = await Promise.all([
    readFile(files.keyFile, 'utf8'),
    readFile(files.knownHostsFile, 'utf8'),
  ])
  return { privateKey, knownHosts }
}

/** Opens the folder that an address such as `sftp://user@host:22/folder` names. */
export async function openSftp(address: string, identity: SftpIdentity): Promise<FileChannel> {
  const url = new URL(address)
  const client = await connect(url, identity)
  const sftp = await begun(client)
  const at = (path: string) => `${decodeURIComponent(url.pathname).replace(/\/$/, '')}/${path}`
  return {
    write: (path, parts) => told(client, write(sftp, at(path), parts)),
    move: (from, to) => told(client, move(sftp, at(from), at(to))),
    remove: (path) => told(client, remove(sftp, at(path))),
    list: async (folder) => shownFiles(await told(client, listFiles(sftp, at(folder)))),
    read: (path, bytesMax) => told(client, readAtMost(sftp, at(path), bytesMax)),
    close: async () => {
      client.end()
    },
  }
}

/** A server may know us and serve no files: then nothing else would end the connection. */
async function begun(client: Client): Promise<SFTPWrapper> {
  try {
    return await told(
      client,
      answered<SFTPWrapper>((done) => client.sftp(done)),
    )
  } catch (error) {
    client.destroy()
    throw error
  }
}

async function connect(url: URL, { privateKey, knownHosts }: SftpIdentity): Promise<Client> {
  const [host, port] = [url.hostname, Number(url.port || '22')]
  const known = keysOfHost(knownHosts, host, port)
  // The library is large, and most installations have no bank that takes files.
  const { Client } = await import('ssh2')
  const client = new Client()
  const ready = once(client, 'ready')
  // A line that is cut in the middle of the greeting ends without an error.
  const closed = once(client, 'close').then(() => Promise.reject(new Error('the connection has ended')))
  closed.catch(() => undefined)
  // What goes wrong later ends the work under way; without a listener it would end the program.
  client.on('error', () => undefined)
  let shown: string | undefined
  try {
    client.connect({
      host,
      port,
      username: decodeURIComponent(url.username),
      privateKey,
      readyTimeout: CONNECT_MILLISECONDS,
      keepaliveInterval: ALIVE_EVERY_MILLISECONDS,
      keepaliveCountMax: ALIVE_MISSED_MAX,
      hostVerifier: (key: Buffer) => {
        shown = key.toString('base64')
        return known.has(shown)
      },
    })
    await Promise.race([ready, closed])
    return client
  } catch (error) {
    client.destroy()
    if (shown !== undefined && !known.has(shown)) {
      throw new BankRefusal('misconfigured', `${url.host} shows a key that is not among the known hosts`, [], error)
    }
    throw refusalOf(error)
  }
}

/** Kept in big pieces, each of which waits for an answer. The server keeps it on disk where it can be asked to. */
async function write(sftp: SFTPWrapper, path: string, parts: AsyncIterable<string>): Promise<void> {
  const file = await answered<Buffer>((done) => sftp.open(path, 'w', 0o600, done))
  try {
    let at = 0
    for await (const part of parts) {
      const bytes = Buffer.from(part)
      await answered((done) => sftp.write(file, bytes, 0, bytes.length, at, done))
      at += bytes.length
    }
    await answered((done) => sftp.ext_openssh_fsync(file, done)).catch(() => undefined)
  } catch (error) {
    await remove(sftp, path).catch(() => undefined)
    throw error
  } finally {
    await answered((done) => sftp.close(file, done))
  }
}

async function remove(sftp: SFTPWrapper, path: string): Promise<void> {
  try {
    await answered((done) => sftp.unlink(path, done))
  } catch (error) {
    if (!(error instanceof BankRefusal && statusOf(error.cause) === NO_SUCH_FILE)) {
      throw error
    }
  }
}

/** The library's callbacks as a promise; what the server says no with is told as a refusal. */
async function answered<Value = unknown>(
  ask: (done: (error: Error | null | undefined, value?: Value) => void) => void,
): Promise<Value> {
  return await new Promise((resolve, reject) => {
    ask((error, value) => (error == null ? resolve(value as Value) : reject(refusalOf(error))))
  })
}

async function move(sftp: SFTPWrapper, from: string, to: string): Promise<'moved' | 'missing'> {
  try {
    await answered((done) => sftp.rename(from, to, done))
    return 'moved'
  } catch (error) {
    // The folder that it is moved to may be what is missing.
    if (error instanceof BankRefusal && statusOf(error.cause) === NO_SUCH_FILE && !(await exists(sftp, from))) {
      return 'missing'
    }
    throw error
  }
}

async function exists(sftp: SFTPWrapper, path: string): Promise<boolean> {
  return await answered((done) => sftp.stat(path, done)).then(
    () => true,
    () => false,
  )
}

async function listFiles(sftp: SFTPWrapper, folder: string): Promise<readonly FileSeen[]> {
  const list = await answered<readonly FileEntryWithStats[]>((done) => sftp.readdir(folder, done))
  const files = list.filter(({ attrs }) => attrs.isFile())
  return files.map(({ filename, attrs }) => seen(filename, attrs.size, attrs.mtime))
}

async function readAtMost(sftp: SFTPWrapper, path: string, bytesMax: number): Promise<Buffer> {
  const file = await answered<Buffer>((done) => sftp.open(path, 'r', done)).catch((error: unknown) => {
    throw unreadable(error)
  })
  try {
    const { size } = await answered<Stats>((done) => sftp.fstat(file, done))
    if (size > bytesMax) {
      throw tooLong(size, bytesMax)
    }
    const bytes = Buffer.alloc(size)
    let at = 0
    while (at < size) {
      const length = Math.min(READ_BYTES, size - at)
      const read = await answered<number>((done) => sftp.read(file, bytes, at, length, at, done))
      if (read === 0) {
        break
      }
      at += read
    }
    return bytes.subarray(0, at)
  } finally {
    await answered((done) => sftp.close(file, done))
  }
}

/** What a server answers to the opening of one file is said of that file; whatever else fails is the way to it. */
function unreadable(error: unknown): unknown {
  const status = error instanceof BankRefusal ? statusOf(error.cause) : undefined
  return typeof status === 'number'
    ? new FileUnreadable(`A file of the bank cannot be read: status ${status}`, false, error)
    : error
}

/** Work that takes too long, or whose connection ends, ends with it: the library leaves such work waiting. */
async function told<Value>(client: Client, work: Promise<Value>): Promise<Value> {
  const ended = Promise.withResolvers<never>()
  const onClose = () => ended.reject(refusalOf(new Error('the connection has ended')))
  client.once('close', onClose)
  const timer = setTimeout(() => client.destroy(), WORK_MILLISECONDS)
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    clearTimeout(timer)
    client.off('close', onClose)
  }
}

/** The server's own text may hold a path, and with it a file's name. */
function refusalOf(error: unknown): BankRefusal {
  const level = error instanceof Error && 'level' in error ? String(error.level) : ''
  if (level === 'client-authentication' || statusOf(error) === PERMISSION_DENIED) {
    return new BankRefusal('misconfigured', 'The bank’s server does not let us do this with our key', [], error)
  }
  const what = statusOf(error) === NO_SUCH_FILE ? 'there is no such file or folder' : level || 'it does not answer'
  return new BankRefusal('unavailable', `The bank’s server cannot be used: ${what}`, [], error)
}

function statusOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
