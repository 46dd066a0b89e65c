/** Runs an OpenSSH server with its own keys, one folder and one user, for tests of SFTP. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { freePorts } from '../../testing/gateway/free-ports.ts'
import type { SftpIdentity } from '../connector/connector-dependencies.ts'

const run = promisify(execFile)
const SSHD = '/usr/sbin/sshd'
const READY_WITHIN_MILLISECONDS = 10_000
const LOOK_EVERY_MILLISECONDS = 20

/** A running server and its folder. */
export type OpenSshServer = {
  /** The address for the bank directory. */
  readonly address: string
  readonly folder: string
  readonly identity: SftpIdentity
  readonly identityFiles: { readonly keyFile: string; readonly knownHostsFile: string }
  /** Replaces the known hosts file, when the server is reached on another port. */
  trustAs(knownHosts: string): Promise<void>
  /** Ends all connections and accepts none until it is started again. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** Starts it on a free port with these folders; without SFTP it still accepts our login. */
export async function openSshServer(
  folders: readonly string[],
  { servesFiles = true }: { readonly servesFiles?: boolean } = {},
): Promise<OpenSshServer> {
  const at = await mkdtemp(join(tmpdir(), 'havn-sshd-'))
  const folder = join(at, 'files')
  for (const name of folders) {
    await mkdir(join(folder, name), { recursive: true })
  }
  const [port = 0] = await freePorts(1)
  await Promise.all(['host', 'user'].map((name) => makeKey(join(at, name))))
  const [hostKey, userKey] = await Promise.all([publicKey(join(at, 'host')), publicKey(join(at, 'user'))])
  await writeFile(join(at, 'authorized'), `${userKey}\n`, { mode: 0o600 })
  await writeFile(join(at, 'config'), configOf(at, port) + (servesFiles ? 'Subsystem sftp internal-sftp\n' : ''))
  const knownHostsFile = join(at, 'known_hosts')
  await writeFile(knownHostsFile, `[127.0.0.1]:${port} ${hostKey}\n`)
  const identityFiles = { keyFile: join(at, 'user'), knownHostsFile }
  const [privateKey, knownHosts] = await Promise.all([
    readFile(identityFiles.keyFile, 'utf8'),
    readFile(knownHostsFile, 'utf8'),
  ])
  let server = await serve(join(at, 'config'), port)
  return {
    address: `sftp://${userInfo().username}@127.0.0.1:${port}${folder}`,
    folder,
    identity: { privateKey, knownHosts },
    identityFiles,
    trustAs: (text) => writeFile(knownHostsFile, text),
    stop: () => end(server),
    start: async () => {
      server = await serve(join(at, 'config'), port)
    },
    close: async () => {
      await end(server)
      await rm(at, { recursive: true, force: true })
    },
  }
}

/** As root it needs a folder that Debian's service would create. */
async function serve(config: string, port: number): Promise<ChildProcess> {
  if (process.getuid?.() === 0) {
    await mkdir('/run/sshd', { recursive: true, mode: 0o755 })
  }
  const server = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let reported = ''
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    reported += text
  })
  const failed = once(server, 'error').then(([error]) => Promise.reject(notInstalled(error)))
  const deadline = performance.now() + READY_WITHIN_MILLISECONDS
  while (!(await Promise.race([answers(port), failed]))) {
    if (performance.now() > deadline || server.exitCode !== null) {
      server.kill()
      throw new Error(`The OpenSSH server does not start:\n${reported}`)
    }
    await wait(LOOK_EVERY_MILLISECONDS)
  }
  failed.catch(() => undefined)
  return server
}

function notInstalled(cause: unknown): Error {
  return new Error(
    'Tests of files over SFTP run OpenSSH’s server, which is not installed. ' +
      'On Debian or Ubuntu: sudo apt-get install -y openssh-server',
    { cause },
  )
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return await new Promise((resolve) => {
    const report = (is: boolean) => () => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', report(true)).once('error', report(false))
  })
}

/** Each connection has a separate process, which has to be ended, too. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode === null && server.signalCode === null) {
    const closed = once(server, 'close')
    server.kill('SIGTERM')
    await closed
  }
}

async function makeKey(file: string): Promise<void> {
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
}

async function publicKey(file: string): Promise<string> {
  const [type, key] = (await readFile(`${file}.pub`, 'utf8')).split(' ')
  return `${type} ${key}`
}

function configOf(at: string, port: number): string {
  return `
ListenAddress 127.0.0.1:${port}
HostKey ${join(at, 'host')}
AuthorizedKeysFile ${join(at, 'authorized')}
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
`
}
