/** Shows which keys of a `known_hosts` file apply to a server, as in OpenSSH. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { keysOfHost } from './known-hosts.ts'

const run = promisify(execFile)

/** A line without its key, which is `K`, and whether it is found for files.bank.example at port 22. */
const LINES: readonly (readonly [hosts: string, found: boolean])[] = [
  ['files.bank.example', true],
  ['Files.Bank.Example', true],
  ['other.example,files.bank.example,192.0.2.1', true],
  ['*.bank.example', true],
  ['file?.bank.example', true],
  ['*', true],
  ['other.example', false],
  ['bank.example', false],
  ['files.bank.example.other', false],
  ['filesxbank.example', false],
  ['[files.bank.example]:2222', false],
  ['files.bank.example,!files.bank.example', false],
  ['!files.bank.example', false],
  ['!files.bank.example,*.bank.example', false],
  ['*.bank.example,!*.example', false],
  ['*.bank.example,!other.bank.example', true],
  ['#files.bank.example', false],
  ['@cert-authority files.bank.example', false],
  ['@revoked files.bank.example', false],
  ['@unknown files.bank.example', false],
]

test('patterns, negation and markers mean the same as in OpenSSH', () => {
  const found = LINES.map(([hosts]) => [hosts, keysOfHost(`${hosts} ssh-ed25519 K`, 'files.bank.example', 22).has('K')])
  expect(found).toEqual(LINES.map(([hosts, isFound]) => [hosts, isFound]))
})

test('a revoked key is not accepted, wherever else it is listed and under whatever name it was revoked', () => {
  const known = 'files.bank.example,[files.bank.example]:2222 ssh-ed25519 K\nfiles.bank.example ssh-ed25519 L\n'
  const keys = (revoked: string, port = 22) => [...keysOfHost(known + revoked, 'files.bank.example', port)]
  expect(keys('')).toEqual(['K', 'L'])
  expect(keys('@revoked files.bank.example ssh-ed25519 K')).toEqual(['L'])
  expect(keys('@revoked * ssh-ed25519 K\n@revoked *.bank.example ssh-ed25519 L')).toEqual([])
  expect(keys('@revoked files.bank.example ssh-ed25519 K', 2222)).toEqual([])
  expect(keys('@revoked other.example ssh-ed25519 K')).toEqual(['K', 'L'])
})

test('a name hashed by ssh-keygen is found', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'havn-known-hosts-'))
  try {
    const [key, file] = [join(folder, 'key'), join(folder, 'known_hosts')]
    await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key])
    const [type, text = ''] = (await readFile(`${key}.pub`, 'utf8')).split(' ')
    await writeFile(file, `[files.bank.example]:2222 ${type} ${text}\n`)
    await run('ssh-keygen', ['-H', '-f', file])
    const hashed = await readFile(file, 'utf8')
    expect(hashed).toMatch(/^\|1\|/)
    expect([...keysOfHost(hashed, 'files.bank.example', 2222)]).toEqual([text])
    expect([...keysOfHost(hashed, 'files.bank.example', 22)]).toEqual([])
    expect([...keysOfHost(`${hashed}\n@revoked ${hashed}`, 'files.bank.example', 2222)]).toEqual([])
  } finally {
    await rm(folder, { recursive: true })
  }
})
