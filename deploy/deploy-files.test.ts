/** Checks the files of installations without running them: settings that exist, files that parse, and the page. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { knownSettings } from '../cli/doctor/settings/known-settings.ts'
import { scopesByEnvironment } from '../contract/environments.ts'
import { SETTING_VARIABLES } from '../gateway/config/config.ts'
import { ROOT } from '../setup/source-files.ts'

const FOLDERS = ['systemd', 'proxy', 'compose', 'helm']
/** Variables of the trial, of the shell, and of compose itself. */
const OURS = new Set(['HAVN_IMAGE', 'HAVN_SITE'])

/** The text of each file by its path below `deploy/`. */
async function deployFiles(): Promise<ReadonlyMap<string, string>> {
  const read = FOLDERS.map(async (folder) => {
    const entries = await readdir(join(ROOT, 'deploy', folder), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const))
  })
  return new Map((await Promise.all(read)).flat().map(([file, text]) => [file.slice(ROOT.length), text]))
}

const files = await deployFiles()
const page = await readFile(join(ROOT, 'docs', 'operating', 'installation.md'), 'utf8')

it('every setting that a file of an installation names exists', () => {
  const known = knownSettings()
  const unknown = [...files, ['the page', page] as const].flatMap(([file, text]) =>
    [...text.matchAll(/\bHAVN_[A-Z0-9_]+\b/g)]
      .filter(([name]) => !known.has(name) && !OURS.has(name))
      .map(([name]) => `${file}: ${name}`),
  )
  expect(unknown).toEqual([])
  expect(files.size).toBeGreaterThan(20)
})

it('an installation passes every setting on, so that a new one needs no change of its files', () => {
  const schema = JSON.parse(files.get('deploy/helm/havn/values.schema.json') ?? '')
  const { propertyNames, properties } = schema.properties.settings
  const rejected = SETTING_VARIABLES.map(({ name }) => name).filter(
    (name) => !new RegExp(propertyNames.pattern).test(name) || properties[name] === false,
  )
  // The chart mounts the secret, and drains for as long as its own value says.
  expect(rejected).toEqual(['DATABASE_URL', 'HAVN_MASTER_KEY_FILE', 'HAVN_DRAIN_SECONDS'])
  expect(files.get('deploy/helm/havn/templates/_helpers.tpl')).toContain('range $name, $value := .Values.settings')
  expect(files.get('deploy/compose/compose.yaml')).toMatch(/^x-havn: &havn\n(?: .*\n)*? {2}env_file: havn\.env$/m)
  const units = [...files].filter(([file]) => /systemd\/havn-(gateway|worker|migrate)/.test(file))
  expect(units).toHaveLength(3)
  for (const [file, text] of units) {
    expect(text, file).toMatch(/^EnvironmentFile=.*havn\.env$/m)
  }
})

it('YAML and JSON parse; templates of the chart are rendered by npm run test:deploy', () => {
  const parsed = [...files].filter(([file]) => /\.(ya?ml|json)$/.test(file) && !file.includes('/templates/'))
  for (const [file, text] of parsed) {
    expect(file.endsWith('.json') ? JSON.parse(text) : parse(text, { merge: true }), file).toBeTypeOf('object')
  }
  expect(parsed.map(([file]) => file)).toContain('deploy/compose/compose.yaml')
})

it('services have what the stop of a gateway needs, and the health checks find out sooner', () => {
  const unit = files.get('deploy/systemd/havn-gateway@.service') ?? ''
  const settings = files.get('deploy/systemd/havn.env') ?? ''
  const seconds = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1])
  const drain = seconds(settings, /^HAVN_DRAIN_SECONDS=(\d+)$/m)
  expect(seconds(unit, /^TimeoutStopSec=(\d+)$/m)).toBeGreaterThanOrEqual(drain + 30 + 10)
  const haproxy = files.get('deploy/proxy/haproxy.cfg') ?? ''
  // The first of the failing checks may be one interval away.
  const checks = seconds(haproxy, /\bfall (\d+)\b/) + 1
  expect(drain).toBeGreaterThan(seconds(haproxy, /\binter (\d+)s\b/) * checks)
  expect(drain).toBeGreaterThan(seconds(files.get('deploy/proxy/Caddyfile') ?? '', /health_interval (\d+)s/))
})

it('proxies answer in JSON where no gateway does, and PgBouncer tries a database again soon', () => {
  const proxies = ['deploy/proxy/haproxy.cfg', 'deploy/proxy/Caddyfile', 'deploy/compose/Caddyfile']
  for (const file of proxies) {
    const bodies = [...(files.get(file) ?? '').matchAll(/\{"message":"[^"]+"\}/g)].map(([body]) => JSON.parse(body))
    expect(bodies.length, file).toBeGreaterThan(0)
    expect(files.get(file), file).toMatch(/Retry-After 5/)
  }
  expect(files.get('deploy/compose/compose.yaml')).toMatch(/^ +server_login_retry = 1$/m)
})

it('the page requests a token with the scope of production', () => {
  expect(page).toContain(`scope=${scopesByEnvironment.production} `)
})
