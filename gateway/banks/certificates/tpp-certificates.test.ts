/** Shows that certificates are parsed correctly, reloaded without a restart, and never replaced by invalid ones. */
import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Identity, makeAuthority } from '../../../launcher/certificates/authority.ts'
import { readCertificateSettings } from '../../config/config.ts'
import { openLog } from '../../platform/observability/log.ts'
import { openMetrics } from '../../platform/observability/metrics.ts'
import {
  type CertificateOptions,
  type TestCertificates,
  testCertificates,
  validFor,
} from '../../testing/gateway/test-certificates.ts'
import { listCertificateStatuses, monitorCertificates } from './certificate-warnings.ts'
import { parseTppCertificate } from './tpp-certificate.ts'
import { openTppCertificates, type TppCertificates, type TppIdentity } from './tpp-certificates.ts'

let made: TestCertificates
let opened: TppCertificates | undefined
let lines: string[]
let now: Temporal.Instant
beforeAll(async () => {
  made = await testCertificates()
})
afterAll(() => made.remove())
beforeEach(() => {
  lines = []
  now = Temporal.Now.instant()
})
afterEach(async () => {
  opened?.close()
  await made.clearNamed()
  await made.restore()
})

const log = () => openLog({ program: 'test', level: 'info', destination: { write: (line) => void lines.push(line) } })

async function open(
  settings: Readonly<Record<string, string>> = made.settings,
  watch: (identities: readonly TppIdentity[]) => void = () => undefined,
): Promise<TppCertificates> {
  opened = await openTppCertificates(readCertificateSettings(settings), {
    clock: { real: () => now },
    log: log(),
    watch,
  })
  return opened
}

const serialOf = (identity: TppIdentity | undefined) => identity?.qwac?.certificate.serialNumber

describe('a certificate', () => {
  test('has its owner, the owner’s roles and its validity', async () => {
    const { certificate, key } = await made.qseal({ owner: { roles: ['PSP_AS', 'PSP_AI', 'PSP_IC'] } })
    expect(parseTppCertificate('QSEAL', certificate, key)).toMatchObject({
      organizationIdentifier: 'PSDNO-FSA-123456789',
      roles: ['PSP_AS', 'PSP_AI', 'PSP_IC'],
    })
  })

  test('without PSD2 extensions has no roles and no licence', async () => {
    const { certificate, key } = await made.authority.issueServer(['localhost'], validFor(1))
    expect(parseTppCertificate('QSEAL', certificate, key)).toMatchObject({ organizationIdentifier: null, roles: [] })
  })

  const [CLIENT, SERVER, ANY] = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1', '2.5.29.37.0'] as const
  test.each([[[CLIENT, SERVER]], [[CLIENT]], [[ANY]], [[SERVER, ANY]], [null]])(
    'with the extended key usage %j may be used by a client',
    async (usages) => {
      const { certificate, key } = await made.qwac({ usages })
      expect(parseTppCertificate('QWAC', certificate, key).extendedKeyUsage).toEqual(usages)
    },
  )

  test.each([[[SERVER]], [['1.3.6.1.5.5.7.3.4']], [[SERVER, '1.3.6.1.5.5.7.3.20']]])(
    'with the extended key usage %j is rejected as QWAC, with the reason and what to do',
    async (usages) => {
      const { certificate, key } = await made.qwac({ usages })
      expect(() => parseTppCertificate('QWAC', certificate, key, '2027')).toThrow(
        /QWAC 2027 does not permit client authentication \(1\.3\.6\.1\.5\.5\.7\.3\.2.*Public authorities.*order a QWAC/,
      )
    },
  )

  const wrong: readonly (readonly [what: string, identity: () => Promise<Identity>, reason: string])[] = [
    ['is no PEM', async () => ({ ...(await made.qseal()), certificate: 'nothing' }), 'not an X.509 certificate in PEM'],
    ['has a key that is no PEM', async () => ({ ...(await made.qseal()), key: 'nothing' }), 'not a private key in PEM'],
    ['has an encrypted key', async () => ({ ...(await made.qseal()), key: encryptedKey() }), 'is encrypted'],
    [
      'has the key of another certificate',
      async () => ({ ...(await made.qseal()), key: (await made.qwac()).key }),
      'not belong',
    ],
    ['is a TLS certificate', () => made.qwac(), 'given as QSEAL is a QWAC'],
  ]
  test.each(wrong)('that %s is rejected', async (_what, identity, reason) => {
    const { certificate, key } = await identity()
    expect(() => parseTppCertificate('QSEAL', certificate, key)).toThrow(reason)
  })
})

function encryptedKey(): string {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
  }).privateKey
}

describe('the settings', () => {
  test('may contain the PEM text instead of a file path', async () => {
    const { certificate, key } = await made.qwac()
    const certificates = await open({ HAVN_QWAC_CERTIFICATE: certificate, HAVN_QWAC_KEY: key })
    expect(certificates.byName.get(null)).toMatchObject({ qwac: { use: 'QWAC' }, qseal: null, authorities: null })
  })

  test.each([
    [{ HAVN_QWAC_KEY: 'x' }, 'HAVN_QWAC_CERTIFICATE_FILE or HAVN_QWAC_CERTIFICATE is missing'],
    [{ HAVN_QSEAL_CERTIFICATE_FILE: 'x' }, 'HAVN_QSEAL_KEY_FILE or HAVN_QSEAL_KEY is missing'],
    [
      { HAVN_QWAC_CERTIFICATE: 'x', HAVN_QWAC_CERTIFICATE_FILE: 'x', HAVN_QWAC_KEY: 'x' },
      'HAVN_QWAC_CERTIFICATE_FILE and HAVN_QWAC_CERTIFICATE are both set',
    ],
  ])('%j are rejected, each named in the error', (settings, reason) => {
    expect(() => readCertificateSettings(settings)).toThrow(reason)
  })

  test('that name a missing file, or invalid CA certificates, prevent the start', async () => {
    await expect(open({ ...made.settings, HAVN_QSEAL_KEY_FILE: '/nowhere/qseal.key' })).rejects.toThrow('ENOENT')
    const file = made.settings['HAVN_QSEAL_KEY_FILE'] ?? ''
    await expect(open({ ...made.settings, HAVN_BANK_CA_FILE: file })).rejects.toThrow('contains no certificate in PEM')
  })
})

describe('changed certificate files', () => {
  test('are loaded, and logged', async () => {
    const certificates = await open()
    const before = certificates.byName.get(null)
    await certificates.look()
    expect(certificates.byName.get(null)).toBe(before)
    await made.put('qwac', await made.qwac())
    await certificates.look()
    expect(serialOf(certificates.byName.get(null))).not.toBe(serialOf(before))
    expect(certificates.byName.get(null)?.qseal).toBe(before?.qseal)
    expect(lines.join('')).toContain('a certificate was reloaded')
  })

  test('leave the old pair in use while only one of the two has changed', async () => {
    const certificates = await open()
    const before = serialOf(certificates.byName.get(null))
    const next = await made.qwac()
    await writeFile(made.settings['HAVN_QWAC_CERTIFICATE_FILE'] ?? '', next.certificate)
    await certificates.look()
    await certificates.look()
    expect(serialOf(certificates.byName.get(null))).toBe(before)
    expect(lines.filter((line) => line.includes('the previous one stays in use'))).toHaveLength(1)
    await made.put('qwac', next)
    await certificates.look()
    expect(serialOf(certificates.byName.get(null))).not.toBe(before)
  })

  test('that are broken, deleted or expired leave the old pair in use', async () => {
    const certificates = await open()
    const before = serialOf(certificates.byName.get(null))
    const expired = await made.qwac({ validity: { ...validFor(0), notAfter: validFor(-1).notAfter } })
    const sound = await made.qwac()
    const cut = `${sound.certificate}${made.authority.certificate.slice(0, 300)}`
    const broken = [
      { certificate: '', key: '' },
      { ...expired, key: 'x' },
      { ...sound, certificate: cut },
    ]
    for (const identity of [...broken, expired]) {
      await made.put('qwac', identity)
      await certificates.look()
      expect(serialOf(certificates.byName.get(null))).toBe(before)
    }
    expect(lines.filter((line) => line.includes('"level":50'))).toHaveLength(4)
    expect(lines.join('')).not.toMatch(/PRIVATE KEY/)
  })

  test('with CA certificates are loaded too, where none of them is damaged', async () => {
    const certificates = await open()
    const other = await makeAuthority('Another', validFor(1))
    for (const rest of ['', made.authority.certificate.slice(0, 300)]) {
      await writeFile(made.settings['HAVN_BANK_CA_FILE'] ?? '', `${other.certificate}${rest}`)
      await certificates.look()
      expect(certificates.byName.get(null)?.authorities).toBe(other.certificate)
    }
  })
})

describe('the expiry of a certificate', () => {
  async function watched(more: Readonly<Record<string, string>> = {}) {
    const settings: Readonly<Record<string, string>> = { ...made.settings, ...more }
    const metrics = openMetrics({ processMetrics: false })
    const certificates = await open(
      settings,
      monitorCertificates(metrics, log(), {
        now: () => now,
        warningDays: Number(settings['HAVN_CERTIFICATE_WARNING_DAYS'] ?? 30),
        baseUrl: 'https://localhost',
      }),
    )
    return { certificates, metrics }
  }

  test('is a metric, and no warning is logged while it is far', async () => {
    const { certificates, metrics } = await watched()
    const qseal = certificates.byName.get(null)?.qseal
    expect(await metrics.registry.metrics()).toContain(
      `havn_certificate_expiry_timestamp_seconds{certificate="QSEAL"} ${(qseal?.notAfter.epochMilliseconds ?? 0) / 1000}`,
    )
    expect(lines).toEqual([])
    expect(listCertificateStatuses(certificates, now).map(({ warning }) => warning)).toEqual([undefined, undefined])
  })

  test('is logged as a warning once a day per certificate from 30 days before, and as an error once it has expired', async () => {
    const { certificates } = await watched()
    now = now.add({ hours: 24 * 59 })
    await certificates.look()
    expect(lines).toEqual([])
    now = now.add({ hours: 24 * 2 })
    await certificates.look()
    await certificates.look()
    expect(lines).toHaveLength(2)
    expect(lines.join('')).toMatch(/"level":40.*The QWAC expires in 2\d days[\s\S]*The QSEAL expires in 2\d days/)
    now = now.add({ hours: 24 })
    await certificates.look()
    expect(lines).toHaveLength(4)
    now = now.add({ hours: 24 * 30 })
    await certificates.look()
    expect(lines.slice(4).join('')).toMatch(/"level":50.*The QWAC has expired/)
    const [qwac] = listCertificateStatuses(certificates, now)
    expect(qwac).toMatchObject({ certificate: 'QWAC', warning: 'The QWAC has expired: banks reject it' })
  })

  test('is warned of as early as the setting says, and the metric of the alert says when', async () => {
    const { certificates, metrics } = await watched({ HAVN_CERTIFICATE_WARNING_DAYS: '90' })
    expect(lines.join('')).toMatch(/The QWAC expires in 89 days[\s\S]*The QSEAL expires in 89 days/)
    expect(listCertificateStatuses(certificates, now)[0]?.warning).toContain('expires in 89 days')
    const qwac = certificates.byName.get(null)?.qwac
    const warnedFrom = (qwac?.notAfter.epochMilliseconds ?? 0) / 1000 - 90 * 86_400
    expect(await metrics.registry.metrics()).toContain(
      `havn_certificate_warning_timestamp_seconds{certificate="QWAC"} ${warnedFrom}`,
    )
    expect(() => readCertificateSettings({ HAVN_CERTIFICATE_WARNING_DAYS: '0' })).toThrow('between 1 and 730')
  })

  test('has a counterpart: a certificate that is not valid yet is logged', async () => {
    const { certificates } = await watched()
    now = now.subtract({ hours: 24 * 365 })
    expect(listCertificateStatuses(certificates, now)[0]?.warning).toContain('not valid yet')
  })
})

describe('named pairs', () => {
  const settings = () => ({ ...made.settings, HAVN_CERTIFICATES_DIR: made.folder })
  const pair = async () => ({ qwac: await made.qwac(), qseal: await made.qseal() })
  const labels = (certificates: TppCertificates) =>
    listCertificateStatuses(certificates, now).map(({ certificate }) => certificate)

  test('are read from the folder in addition to the pair without a name, added and renewed without a restart', async () => {
    await made.putNamed('2026', await pair())
    await writeFile(`${made.folder}/README.txt`, '')
    const certificates = await open(settings())
    expect(labels(certificates)).toEqual(['QWAC', 'QSEAL', 'QWAC 2026', 'QSEAL 2026'])
    expect(certificates.byName.get('2027')).toBeUndefined()
    const before = certificates.byName.get('2026')
    await made.putNamed('2027', await pair())
    await made.putNamed('2026', { qwac: await made.qwac() })
    await certificates.look()
    expect(labels(certificates).slice(4)).toEqual(['QWAC 2027', 'QSEAL 2027'])
    const after = certificates.byName.get('2026')
    expect([after?.qwac === before?.qwac, after?.qseal === before?.qseal]).toEqual([false, true])
    expect(lines.join('')).toMatch(/a certificate was reloaded[\s\S]*a pair of certificates was added/)
  })

  test('that are incomplete are not used while Havn runs, are logged once, and prevent the start', async () => {
    const certificates = await open(settings())
    await made.putNamed('half', { qwac: await made.qwac() })
    await certificates.look()
    await certificates.look()
    expect(certificates.byName.get('half')).toBeUndefined()
    expect(lines.filter((line) => line.includes('"certificate":"half"'))).toHaveLength(1)
    certificates.close()
    await expect(open(settings())).rejects.toThrow('half.qseal.pem')
    await made.putNamed('half', { qseal: await made.qseal() })
    await certificates.look()
    expect(certificates.byName.get('half')).toMatchObject({ qwac: { name: 'half' }, qseal: { name: 'half' } })
  })

  test('whose files were removed or damaged stay in use until the restart', async () => {
    await made.putNamed('old', await pair())
    const certificates = await open(settings())
    const before = certificates.byName.get('old')
    await made.putNamed('old', { qwac: { certificate: '', key: '' } })
    await certificates.look()
    expect(certificates.byName.get('old')).toBe(before)
  })
})

describe('valid certificates that banks will reject', () => {
  const warnings = async (
    settings: { qwac?: CertificateOptions; qseal?: CertificateOptions },
    baseUrl = 'https://localhost',
  ) => {
    await made.put('qwac', await made.qwac(settings.qwac))
    await made.put('qseal', await made.qseal(settings.qseal))
    const metrics = openMetrics({ processMetrics: false })
    const monitor = monitorCertificates(metrics, log(), { now: () => now, warningDays: 30, baseUrl })
    const certificates = await open(made.settings, monitor)
    await certificates.look()
    return lines.map((line) => /"msg":"([^"]+)"/.exec(line)?.[1])
  }

  test('are warned about once: another host, another licence, a missing role', async () => {
    const wishes = { qwac: {}, qseal: { owner: { organizationIdentifier: 'PSDSE-FI-1', roles: ['PSP_AI'] as const } } }
    expect(await warnings(wishes, 'https://havn.example/x')).toEqual([
      'The QWAC does not name havn.example: banks may not send users back there',
      'QWAC and QSEAL name different licences: banks reject one of them',
      'The QSEAL lacks the role PSP_PI: banks reject requests that require it',
    ])
  })

  test.each(['https://localhost', 'http://127.0.0.1:8080'])(
    'are not reported when everything matches, as at %s',
    async (url) => {
      expect(await warnings({}, url)).toEqual([])
    },
  )
})
