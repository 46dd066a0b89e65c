/** Exchanges files with a bank over SFTP, with our private key and the server's known host keys. */
import { once } from 'node:events'
import { constants } from 'node:fs'
import type { Client, FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2'
import { BankError } from '../../connector/bank-error.ts'
import type { SftpIdentity } from '../../connector/connector-dependencies.ts'
import { type ListedFile, UnreadableFileError } from '../../connector/file-product.ts'
import { type FileChannel, fileTooLongError, toListedFile, visibleFiles } from './file-channel.ts'
import { hostKeyAlgorithms, keysOfHost } from './known-hosts.ts'

const CONNECT_MILLISECONDS = 15_000
/** A server that is silent for so long during a transfer is taken for disconnected. */
const ALIVE_EVERY_MILLISECONDS = 10_000
const ALIVE_MISSED_MAX = 3
/** Timeout of one listing, one rename or one file. */
const WORK_MILLISECONDS = 120_000
const READ_BYTES = 1_000_000
/** SSH_FX_NO_SUCH_FILE and SSH_FX_PERMISSION_DENIED (draft-ietf-secsh-filexfer-02, section 7). */
const NO_SUCH_FILE = 2
const PERMISSION_DENIED = 3

/** Opens the folder of a URL such as `sftp://user@host:22/folder`. */
export async function openSftp(address: string, identity: SftpIdentity): Promise<FileChannel> {
  const url = new URL(address)
  const client = await connect(url, identity)
  const sftp = await openSession(client)
  const at = (path: string) => `${decodeURIComponent(url.pathname).replace(/\/$/, '')}/${path}`
  return {
    write: (path, parts) => withTimeout(client, write(sftp, at(path), parts)),
    move: (from, to) => withTimeout(client, move(sftp, at(from), at(to))),
    remove: (path) => withTimeout(client, remove(sftp, at(path))),
    list: async (folder) => visibleFiles(await withTimeout(client, listFiles(sftp, at(folder)))),
    read: (path, bytesMax) => withTimeout(client, readAtMost(sftp, at(path), bytesMax)),
    [Symbol.asyncDispose]: async () => void client.end(),
  }
}

/** A server may accept the login without offering SFTP: then nothing else would end the connection. */
async function openSession(client: Client): Promise<SFTPWrapper> {
  try {
    return await withTimeout(
      client,
      asPromise<SFTPWrapper>((done) => client.sftp(done)),
    )
  } catch (error) {
    client.destroy()
    throw error
  }
}

async function connect(url: URL, { privateKey, knownHosts }: SftpIdentity): Promise<Client> {
  // Only URLs have IPv6 addresses in brackets.
  const [host, port] = [url.hostname.replace(/^\[(.*)\]$/, '$1'), Number(url.port || '22')]
  const known = keysOfHost(knownHosts, host, port)
  // Loaded on demand: the library is large, and most installations have no bank that accepts files.
  const { Client } = await import('ssh2')
  const client = new Client()
  const ready = once(client, 'ready')
  // A connection that is lost during the handshake ends without an error.
  const closed = once(client, 'close').then(() => Promise.reject(new Error('the connection has ended')))
  closed.catch(() => undefined)
  // A later error ends the current work; without a listener it would end the program.
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
      algorithms: { serverHostKey: hostKeyAlgorithms(known) },
      hostVerifier: (key: Buffer) => {
        shown = key.toString('base64')
        return known.has(shown)
      },
    })
    // A request is several small packets: with Nagle's algorithm each waits for the server's delayed acknowledgement.
    client.setNoDelay(true)
    await Promise.race([ready, closed])
    return client
  } catch (error) {
    client.destroy()
    if (shown !== undefined && !known.has(shown)) {
      throw new BankError(
        'misconfigured',
        `${url.host} presented a host key that is not in the known hosts file`,
        [],
        error,
      )
    }
    throw sftpError(error)
  }
}

/** Written in large chunks, each acknowledged; flushed to disk where the server supports fsync. */
async function write(sftp: SFTPWrapper, path: string, parts: AsyncIterable<string>): Promise<void> {
  const file = await asPromise<Buffer>((done) => sftp.open(path, 'w', 0o600, done))
  try {
    let at = 0
    for await (const part of parts) {
      const bytes = Buffer.from(part)
      await asPromise((done) => sftp.write(file, bytes, 0, bytes.length, at, done))
      at += bytes.length
    }
    await asPromise((done) => sftp.ext_openssh_fsync(file, done)).catch(() => undefined)
  } catch (error) {
    await remove(sftp, path).catch(() => undefined)
    throw error
  } finally {
    await asPromise((done) => sftp.close(file, done))
  }
}

async function remove(sftp: SFTPWrapper, path: string): Promise<void> {
  try {
    await asPromise((done) => sftp.unlink(path, done))
  } catch (error) {
    if (!(error instanceof BankError && statusOf(error.cause) === NO_SUCH_FILE)) {
      throw error
    }
  }
}

/** The library's callbacks as a promise; server errors become `BankError`. */
async function asPromise<Value = unknown>(
  ask: (done: (error: Error | null | undefined, value?: Value) => void) => void,
): Promise<Value> {
  return await new Promise((resolve, reject) => {
    ask((error, value) => (error == null ? resolve(value as Value) : reject(sftpError(error))))
  })
}

async function move(sftp: SFTPWrapper, from: string, to: string): Promise<'moved' | 'missing'> {
  try {
    await asPromise((done) => sftp.rename(from, to, done))
    return 'moved'
  } catch (error) {
    // The missing part may be the target folder.
    if (error instanceof BankError && statusOf(error.cause) === NO_SUCH_FILE && !(await exists(sftp, from))) {
      return 'missing'
    }
    throw error
  }
}

async function exists(sftp: SFTPWrapper, path: string): Promise<boolean> {
  return await asPromise((done) => sftp.stat(path, done)).then(
    () => true,
    () => false,
  )
}

async function listFiles(sftp: SFTPWrapper, folder: string): Promise<readonly ListedFile[]> {
  const list = await asPromise<readonly FileEntryWithStats[]>((done) => sftp.readdir(folder, done))
  return list.filter(isFile).map(({ filename, attrs }) => toListedFile(filename, attrs.size, attrs.mtime))
}

/** Some servers send permissions without a type, or none: then the long name begins with it, as those of `ls -l`. */
function isFile({ longname, attrs }: FileEntryWithStats): boolean {
  return (attrs.mode & constants.S_IFMT) === 0 ? !/^[dl]/i.test(longname) : attrs.isFile()
}

async function readAtMost(sftp: SFTPWrapper, path: string, bytesMax: number): Promise<Buffer> {
  const file = await asPromise<Buffer>((done) => sftp.open(path, 'r', done)).catch((error: unknown) => {
    throw unreadable(error)
  })
  try {
    const { size } = await asPromise<Stats>((done) => sftp.fstat(file, done))
    if (size > bytesMax) {
      throw fileTooLongError(size, bytesMax)
    }
    const bytes = Buffer.alloc(size)
    let at = 0
    while (at < size) {
      const length = Math.min(READ_BYTES, size - at)
      const read = await asPromise<number>((done) => sftp.read(file, bytes, at, length, at, done))
      if (read === 0) {
        break
      }
      at += read
    }
    return bytes.subarray(0, at)
  } finally {
    await asPromise((done) => sftp.close(file, done))
  }
}

/** An error on opening a file concerns that file; any other error concerns the connection. */
function unreadable(error: unknown): unknown {
  const status = error instanceof BankError ? statusOf(error.cause) : undefined
  return typeof status === 'number'
    ? new UnreadableFileError(`A file of the bank cannot be read: status ${status}`, false, error)
    : error
}

/** Ends work after a timeout or with its connection: the library would leave it pending. */
async function withTimeout<Value>(client: Client, work: Promise<Value>): Promise<Value> {
  const ended = Promise.withResolvers<never>()
  const onClose = () => ended.reject(sftpError(new Error('the connection has ended')))
  client.once('close', onClose)
  const timer = setTimeout(() => client.destroy(), WORK_MILLISECONDS)
  try {
    return await Promise.race([work, ended.promise])
  } finally {
    clearTimeout(timer)
    client.off('close', onClose)
  }
}

/** The server's own text may contain a path with a file name. */
function sftpError(error: unknown): BankError {
  const level = error instanceof Error && 'level' in error ? String(error.level) : ''
  if (level === 'client-authentication' || statusOf(error) === PERMISSION_DENIED) {
    return new BankError('misconfigured', 'The bank’s server denies this operation for our key', [], error)
  }
  const what = statusOf(error) === NO_SUCH_FILE ? 'there is no such file or folder' : level || 'it does not answer'
  return new BankError('unavailable', `The bank’s server cannot be used: ${what}`, [], error)
}

function statusOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
