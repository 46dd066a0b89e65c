/** Tests `havn certificates`: OpenSSL verifies the results, and existing files are never overwritten. */
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runHavnCommand } from '../../gateway/testing/gateway/havn-command.ts'
import { testCertificates } from '../../gateway/testing/gateway/test-certificates.ts'
import {
  certificateFilesIn,
  createSandboxCertificates,
  ensureSandboxCertificates,
  gatewaySettingsOf,
} from '../../launcher/certificates/sandbox-certificates.ts'

let folder: string
/** Certificates for all tests: their keys take long to generate. */
let created: string
beforeAll(async () => {
  created = await mkdtemp(join(tmpdir(), 'havn-certificates-'))
  await createSandboxCertificates(join(created, 'certificates'), Temporal.Now.instant())
})
afterAll(() => rm(created, { recursive: true }))
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'havn-certificates-'))
})
afterEach(() => rm(folder, { recursive: true }))

const at = (name: string) => join(folder, name)
const copyCertificates = (to: string) => cp(join(created, 'certificates'), to, { recursive: true })

/** The output of a command; its error if it fails. */
async function havn(words: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { code, out, error } = await runHavnCommand(['certificates', ...words], {
    HAVN_DATA_DIR: folder,
    ...environment,
  })
  if (code !== 0) {
    throw new Error(error)
  }
  return out
}

async function openssl(...words: readonly string[]): Promise<string> {
  return (await promisify(execFile)('openssl', words, { cwd: at('made') })).stdout
}

describe('havn certificates create', () => {
  it('creates certificates that OpenSSL verifies for their purpose, and prints their settings', async () => {
    const reported = await havn(['create', '--sandbox', '--folder', at('made')])
    for (const [name, file] of Object.entries(gatewaySettingsOf(certificateFilesIn(at('made'))))) {
      expect(reported).toContain(`${name}=${file}`)
    }
    const verify = ['verify', '-x509_strict', '-CAfile', 'authority.pem']
    expect(await openssl(...verify, '-purpose', 'sslclient', 'qwac.pem')).toBe('qwac.pem: OK\n')
    expect(await openssl(...verify, '-purpose', 'sslserver', 'bank.pem')).toBe('bank.pem: OK\n')
    expect(await openssl(...verify, 'qseal.pem')).toBe('qseal.pem: OK\n')
    const subject = await openssl('x509', '-in', 'qwac.pem', '-noout', '-subject', '-ext', 'subjectAltName')
    expect(subject).toMatch(/organizationIdentifier ?= ?PSDNO-FSA-123456789/)
    expect(subject).toContain('DNS:localhost, IP Address:127.0.0.1')
    const statements = await openssl('asn1parse', '-in', 'qseal.pem', '-strparse', await placeOfStatements())
    for (const id of ['0.4.0.1862.1.1', '0.4.0.1862.1.6.2', '0.4.0.19495.2', '0.4.0.19495.1.2', '0.4.0.19495.1.3']) {
      expect(statements).toMatch(new RegExp(`:${id.replaceAll('.', '\\.')}$`, 'm'))
    }
    expect((await stat(at('made/qseal.key'))).mode & 0o077).toBe(0)
  })

  it('overwrites no files, and creates none that could be mistaken for real ones', async () => {
    await writeFile(at('made'), '')
    await expect(havn(['create', '--sandbox', '--folder', at('made')])).rejects.toThrow('already exists')
    await expect(havn(['create', '--folder', at('other')])).rejects.toThrow('--sandbox')
  })
})

describe('havn certificates issue-server', () => {
  it('issues the certificate of a test bank, signed by the CA', async () => {
    await copyCertificates(at('made'))
    const server = ['--host', 'bank.test', '127.0.0.2', '--name', 'test-bank']
    const reported = await havn(['issue-server', '--folder', at('made'), ...server])
    expect(reported).toContain(`HAVN_BANK_CA_FILE=${at('made/authority.pem')}`)
    const verify = ['verify', '-x509_strict', '-CAfile', 'authority.pem', '-purpose', 'sslserver']
    expect(await openssl(...verify, '-verify_hostname', 'bank.test', 'test-bank.pem')).toBe('test-bank.pem: OK\n')
    const names = await openssl('x509', '-in', 'test-bank.pem', '-noout', '-ext', 'subjectAltName')
    expect(names).toContain('DNS:bank.test, IP Address:127.0.0.2')
    const keys = ['authority.key', 'test-bank.key']
    expect(await Promise.all(keys.map(async (key) => (await stat(at(`made/${key}`))).mode & 0o077))).toEqual([0, 0])
    await expect(havn(['issue-server', '--folder', at('made'), ...server])).rejects.toThrow('must be a new name')
  })

  it('says what to do if the key of the CA is missing', async () => {
    await copyCertificates(at('made'))
    await rm(at('made/authority.key'))
    const server = ['--host', 'bank.test', '--name', 'test-bank']
    await expect(havn(['issue-server', '--folder', at('made'), ...server])).rejects.toThrow('certificates create')
    await expect(havn(['issue-server', ...server])).rejects.toThrow('certificates create')
  })
})

/** The offset of the QcStatements in the certificate, as reported by `asn1parse`. */
async function placeOfStatements(): Promise<string> {
  const lines = (await openssl('asn1parse', '-in', 'qseal.pem')).split('\n')
  const name = lines.findIndex((line) => /qcStatements|1\.3\.6\.1\.5\.5\.7\.1\.3/.test(line))
  return /^\s*(\d+):/.exec(lines[name + 1] ?? '')?.[1] ?? ''
}

describe('havn certificates show', () => {
  it('prints subject, roles and expiry of the configured certificates', async () => {
    await copyCertificates(at('made'))
    const reported = await havn(['show'], gatewaySettingsOf(certificateFilesIn(at('made'))))
    expect(reported).toMatch(/^QWAC +PSDNO-FSA-123456789 +PSP_PI PSP_AI +yes +20\d\d-/m)
    expect(reported).toMatch(/^QSEAL +PSDNO-FSA-123456789 +PSP_PI PSP_AI +20\d\d-/m)
  })

  it('rejects a QWAC without client authentication, and says where no extended key usage restricts one', async () => {
    const made = await testCertificates()
    await made.put('qwac', await made.qwac({ usages: null }))
    expect(await havn(['show'], made.settings)).toMatch(/^QWAC +.* +not restricted \(no extended key usage\) +20/m)
    await made.put('qwac', await made.qwac({ usages: ['1.3.6.1.5.5.7.3.1'] }))
    await expect(havn(['show'], made.settings)).rejects.toThrow('order a QWAC with client authentication')
    await made.remove()
  })

  it('prints those of the local Havn if none are configured, or that there are none', async () => {
    await expect(havn(['show'])).rejects.toThrow('banks cannot identify us')
    await copyCertificates(at('certificates'))
    expect(await havn(['show'])).toContain('QSEAL')
  })
})

describe('certificates of this machine', () => {
  const DAY_HOURS = 24
  it('are reused while they are valid, and renewed before the expiry warning', async () => {
    const now = Temporal.Now.instant()
    await copyCertificates(at('made'))
    const { qwac } = await ensureSandboxCertificates(at('made'), now)
    const first = await readFile(qwac.certificate, 'utf8')
    await ensureSandboxCertificates(at('made'), now.add({ hours: DAY_HOURS * 600 }))
    expect(await readFile(qwac.certificate, 'utf8')).toBe(first)
    await ensureSandboxCertificates(at('made'), now.add({ hours: DAY_HOURS * 690 }))
    expect(await readFile(qwac.certificate, 'utf8')).not.toBe(first)
  })

  it('are created again if files are missing or unreadable', async () => {
    const now = Temporal.Now.instant()
    await copyCertificates(at('made'))
    const { qseal, bank } = certificateFilesIn(at('made'))
    await rm(qseal.key)
    await ensureSandboxCertificates(at('made'), now)
    expect(await readFile(qseal.key, 'utf8')).toContain('PRIVATE KEY')
    await writeFile(bank.certificate, 'x')
    await ensureSandboxCertificates(at('made'), now)
    expect(await readFile(bank.certificate, 'utf8')).toContain('BEGIN CERTIFICATE')
  })
})
