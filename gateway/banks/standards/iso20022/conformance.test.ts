/** Runs the conformance suite of files over both channels: a directory and an OpenSSH server. */
import { mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { type AddressInfo, isIPv6 } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import ssh2, { type Attributes, type FileEntry } from 'ssh2'
import { expect, test } from 'vitest'
import { recordOpenedSockets } from '../../../testing/opened-sockets.ts'
import { type FileHarness, fileConformance } from '../../conformance/file-conformance.ts'
import type { SftpIdentity } from '../../connector/connector-dependencies.ts'
import type { FileProduct } from '../../connector/file-product.ts'
import { connectorTools } from '../../testing/connector-tools.ts'
import { openSshServer } from '../../testing/openssh-server.ts'
import { fileBank, orderFile, pain002 } from '../../testing/order-file-samples.ts'
import { iso20022 } from './connector.ts'

const FOLDERS = ['to-bank', 'from-bank', 'done']

fileConformance('a directory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'havn-files-'))
  await Promise.all(FOLDERS.map((name) => mkdir(join(folder, name))))
  return {
    ...(await harnessAt(pathToFileURL(folder).href, folder, null)),
    cutOff: (isCut) => rename(isCut ? folder : `${folder}-away`, isCut ? `${folder}-away` : folder),
    close: () => rm(folder, { recursive: true }),
  }
})

fileConformance('SFTP', async () => {
  const server = await openSshServer(FOLDERS)
  return {
    ...(await harnessAt(server.address, server.folder, server.identity)),
    cutOff: (isCut) => (isCut ? server.stop() : server.start()),
    close: server.close,
  }
})

test('nothing is sent to an SFTP server with another host key than the known one, nor to one that rejects ours', async () => {
  const [server, other] = [await openSshServer(FOLDERS), await openSshServer(FOLDERS)]
  const bank = await fileBank(server.address)
  const listed = (identity: SftpIdentity) => productWith(identity).list(bank)
  const { privateKey, knownHosts } = server.identity
  expect(await listed(server.identity)).toEqual([])
  const swapped = knownHosts.replace(/ssh-ed25519 \S+/, other.identity.knownHosts.match(/ssh-ed25519 \S+/)?.[0] ?? '')
  await expect(listed({ privateKey, knownHosts: swapped })).rejects.toMatchObject({
    kind: 'misconfigured',
    message: expect.stringContaining('not in the known hosts file'),
  })
  await expect(listed({ privateKey, knownHosts: '' })).rejects.toMatchObject({ kind: 'misconfigured' })
  const stranger = { privateKey: other.identity.privateKey, knownHosts }
  await expect(listed(stranger)).rejects.toMatchObject({ kind: 'misconfigured' })
  await Promise.all([server.close(), other.close()])
})

test('a file that is longer than any report is not read, and not retried', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'havn-files-'))
  await Promise.all(FOLDERS.map((name) => mkdir(join(folder, name))))
  await writeFile(join(folder, 'from-bank', 'long.xml'), '')
  await truncate(join(folder, 'from-bank', 'long.xml'), 60_000_000)
  const bank = await fileBank(pathToFileURL(folder).href)
  await expect(productWith(null).read(bank, 'long.xml')).rejects.toMatchObject({ isPermanent: true })
  await rm(folder, { recursive: true })
})

test('the connection to an SFTP server without file service is closed', async () => {
  const server = await openSshServer(FOLDERS, { servesFiles: false })
  const bank = await fileBank(server.address)
  const opened = recordOpenedSockets()
  const listed = opened.during(() => productWith(server.identity).list(bank))
  await expect(listed).rejects.toMatchObject({ kind: 'unavailable' })
  await expect.poll(() => opened.sockets.map(({ destroyed }) => destroyed)).toEqual([true])
  opened.close()
  await server.close()
})

/** Some Windows servers do so: https://github.com/apache/mina-sshd/issues/489 */
test('files are distinguished from folders and links where a server says so in its long names alone', async () => {
  const attributes: Attributes = { mode: 0o666, uid: 0, gid: 0, size: 7, atime: 1, mtime: 1 }
  const listed = [
    { filename: 'report.xml', longname: '-rw-rw-rw   1     root     root     7 Apr 24 14:58 report.xml' },
    { filename: 'old', longname: 'drwxrwxrwx 1 root root 0 Apr 24 14:58 old' },
    { filename: 'latest', longname: 'lrwxrwxrwx 1 root root 0 Apr 24 14:58 latest -> report.xml' },
    { filename: 'plain.xml', longname: '?rw-rw-rw- 1 root root 7 Apr 24 14:58 plain.xml' },
  ]
  const server = await listingServer(listed.map((entry) => ({ ...entry, attrs: attributes })))
  const files = await productWith(server.identity).list(await fileBank(server.address))
  expect(files.map(({ name }) => name)).toEqual(['plain.xml', 'report.xml'])
  await server.close()
})

test.each(['ssh-rsa', 'ecdsa-sha2-nistp256', 'ssh-ed25519'])(
  'a server with several host keys is recognised by the one that is known: %s',
  async (type) => {
    const server = await listingServer([])
    const known = server.identity.knownHosts.split('\n').filter((line) => line.includes(type))
    const identity = { ...server.identity, knownHosts: known.join('\n') }
    expect(known).toHaveLength(1)
    expect(await productWith(identity).list(await fileBank(server.address))).toEqual([])
    await server.close()
  },
)

/** Not every machine that runs tests has IPv6. */
const IPV6_LOOPBACK = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.address === '::1')

test.skipIf(IPV6_LOOPBACK === undefined)(
  'a server is reached at an IPv6 address, by its key under that address',
  async () => {
    const server = await listingServer([], '::1')
    expect(await productWith(server.identity).list(await fileBank(server.address))).toEqual([])
    await server.close()
  },
)

test('an SFTP server is not called without a key of ours', async () => {
  const bank = await fileBank('sftp://havn@127.0.0.1:1/files')
  await expect(productWith(null).list(bank)).rejects.toMatchObject({ kind: 'misconfigured' })
})

function productWith(identity: SftpIdentity | null): FileProduct {
  const fetch = () => Promise.reject(new Error('A file bank is not called'))
  const { files } = iso20022(connectorTools({ fetch, sftp: async () => identity }))
  if (files === undefined) {
    throw new Error('The connector offers no files')
  }
  return files
}

/** A server with host keys of three types that accepts every login, and lists the same in every folder. */
async function listingServer(entries: readonly FileEntry[], host = '127.0.0.1') {
  const { generateKeyPairSync } = ssh2.utils
  const hostKeys = [
    generateKeyPairSync('ed25519'),
    generateKeyPairSync('ecdsa', { bits: 256 }),
    generateKeyPairSync('rsa', { bits: 2048 }),
  ]
  const server = new ssh2.Server({ hostKeys: hostKeys.map((key) => key.private) }, (client) => {
    client.on('error', () => undefined)
    client.on('authentication', (attempt) => attempt.accept())
    client.on('session', (accept) =>
      accept().on('sftp', (acceptFiles) => {
        const sftp = acceptFiles()
        const left = [[...entries]]
        sftp.on('OPENDIR', (id) => sftp.handle(id, Buffer.from('folder')))
        sftp.on('READDIR', (id) => {
          const page = left.pop()
          return page === undefined ? sftp.status(id, ssh2.utils.sftp.STATUS_CODE.EOF) : sftp.name(id, page)
        })
        sftp.on('CLOSE', (id) => sftp.status(id, ssh2.utils.sftp.STATUS_CODE.OK))
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, host, () => resolve()))
  const { port } = server.address() as AddressInfo
  return {
    address: `sftp://havn@${isIPv6(host) ? `[${host}]` : host}:${port}/files`,
    identity: {
      privateKey: generateKeyPairSync('ed25519').private,
      knownHosts: hostKeys.map((key) => `[${host}]:${port} ${key.public}`).join('\n'),
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

async function harnessAt(
  address: string,
  folder: string,
  identity: SftpIdentity | null,
): Promise<Omit<FileHarness, 'cutOff' | 'close'>> {
  const outgoing = join(folder, 'to-bank')
  const takeable = async () => (await readdir(outgoing)).filter((name) => name.endsWith('.xml'))
  return {
    files: productWith(identity),
    bank: await fileBank(address),
    order: (count) => orderFile(count),
    takeable,
    lying: () => readdir(outgoing),
    take: async () => {
      const texts: string[] = []
      for (const name of await takeable()) {
        texts.push(await readFile(join(outgoing, name), 'utf8'))
        await rm(join(outgoing, name))
      }
      return texts
    },
    putOut: (name, text) => writeFile(join(folder, 'from-bank', name), text),
    report: (messageId, rejected) =>
      pain002(messageId, {
        group: 'PART',
        batch: 'ACSP',
        payments: [
          { instruction: String(rejected + 1), endToEndId: `SAL-${rejected}`, status: 'RJCT', reason: 'AC04' },
        ],
      }),
  }
}
