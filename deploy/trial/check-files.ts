/** Checks the files of installations with the programs that read them: units, compose and the chart. */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { isOnPath, runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import { NotRunError } from '../../setup/trials/trial-step.ts'

/** As systemd scores it, in tenths: 0 is confined completely, 10 not at all. */
const EXPOSURE_TENTHS_MAX = 20
/** The program is where the page unpacks it, which is not on this machine. */
const NOT_INSTALLED = /Command \/opt\/havn\/havn is not executable/

export async function checkUnits(folder: string): Promise<string> {
  const source = join(ROOT, 'deploy', 'systemd')
  const names = (await readdir(source)).filter((name) => name.endsWith('.service'))
  await mkdir(folder, { recursive: true })
  const files = await Promise.all(
    names.map(async (name) => {
      const file = join(folder, name.replace('@.', '@1.'))
      await cp(join(source, name), file)
      return file
    }),
  )
  const printed = await runProgram('systemd-analyze', ['verify', '--man=no', ...files], { folder }).catch(String)
  const complaints = printed.split('\n').filter((line) => /\.service[:@]/.test(line) && !NOT_INSTALLED.test(line))
  if (complaints.length > 0) {
    throw new Error(`systemd-analyze verify complains:\n${complaints.join('\n')}`)
  }
  const scores = await Promise.all(
    files.map(async (file) => {
      const threshold = ['--offline=yes', `--threshold=${EXPOSURE_TENTHS_MAX}`]
      const report = await runProgram('systemd-analyze', ['security', ...threshold, file], { folder })
      return /exposure level for \S+: (\S+)/.exec(report)?.[1] ?? 'unknown'
    }),
  )
  return `${names.length} units, exposure ${scores.join(', ')} (at most ${EXPOSURE_TENTHS_MAX / 10})`
}

/** `programs` is a folder with check-jsonschema. */
export async function checkCompose(folder: string, programs: string): Promise<string> {
  await cp(join(ROOT, 'deploy', 'compose'), folder, { recursive: true })
  const schema = ['--builtin-schema', 'vendor.compose-spec']
  const check = async (file: string) =>
    await runProgram(join(programs, 'check-jsonschema'), [...schema, file], { folder })
  await check('compose.yaml')
  await rejectsDamaged(folder, check)
  await runProgram('./create-secrets.sh', [], { folder, variables: { HAVN: join(ROOT, 'cli', 'havn') } })
  const url = new URL(await readFile(join(folder, 'secrets', 'database-url'), 'utf8'))
  const password = await readFile(join(folder, 'secrets', 'database-password'), 'utf8')
  if (decodeURIComponent(url.password) !== password) {
    throw new Error('create-secrets.sh made a URL with another password than that of the database')
  }
  const proxy = ['validate', '--adapter', 'caddyfile', '--config', 'Caddyfile']
  await runProgram('caddy', proxy, { folder, variables: { HAVN_SITE: 'havn.example' } })
  return 'compose.yaml and Caddyfile are valid, a damaged compose.yaml is not; create-secrets.sh makes the four secrets'
}

/** A validator that accepts everything would show nothing. */
async function rejectsDamaged(folder: string, check: (file: string) => Promise<string>): Promise<void> {
  const damaged = join(folder, 'damaged')
  await mkdir(damaged, { recursive: true })
  await runProgram('sh', ['-c', "sed 's/^    restart:/    restarts:/' compose.yaml > damaged/compose.yaml"], { folder })
  const isRejected = await check('damaged/compose.yaml').then(
    () => false,
    () => true,
  )
  await rm(damaged, { recursive: true })
  if (!isRejected) {
    throw new Error('The schema accepts a service with an unknown member')
  }
}

const CHART = join(ROOT, 'deploy', 'helm', 'havn')
const HELM_MODULE = 'helm.sh/helm/v3/cmd/helm@v3.19.5'
/** Stored for later runs: building it takes minutes. */
const TOOLS = join(ROOT, 'node_modules', '.cache', 'deploy-tools')
const KUBERNETES = '1.34'
const VALUES = [[], ['--set', 'ingress.enabled=true', '--set', 'certificatesSecret=havn-certificates']]
/** The schema of the values rejects each of these. */
const INVALID = ['settings.HAVN_BASE_URL=http://havn.example', 'gateway.replica=2', 'gateway.replicas=0']

/** `programs` is a folder with kubernetes-validate. */
export async function checkChart(folder: string, programs: string): Promise<string> {
  const helm = await ensureHelm()
  const run = async (...options: readonly string[]) => await runProgram(helm, options, { folder })
  const template = (...values: readonly string[]) =>
    run('template', 'havn', CHART, '--kube-version', `${KUBERNETES}.0`, ...values)
  await mkdir(folder, { recursive: true })
  await run('lint', '--strict', CHART)
  let kinds: readonly string[] = []
  for (const [index, values] of VALUES.entries()) {
    const manifests = await template(...values)
    const file = join(folder, `manifests-${index}.yaml`)
    await writeFile(file, manifests)
    const validate = join(programs, 'kubernetes-validate')
    await runProgram(validate, ['--strict', '--version', KUBERNETES, file], { folder })
    kinds = parseAllDocuments(manifests).map((document) => String(document.get('kind')))
  }
  for (const value of INVALID) {
    await template('--set', value).then(
      () => Promise.reject(new Error(`The schema of the values accepts ${value}`)),
      () => undefined,
    )
  }
  return `helm lint and template; ${kinds.length} manifests are valid for Kubernetes ${KUBERNETES}: ${kinds.join(', ')}`
}

async function ensureHelm(): Promise<string> {
  if (await isOnPath('helm')) {
    return 'helm'
  }
  const built = join(TOOLS, 'helm')
  if (await isOnPath(built)) {
    return built
  }
  if (!(await isOnPath('go'))) {
    throw new NotRunError('Neither helm nor Go is installed: the chart was only parsed, by deploy/deploy-files.test.ts')
  }
  await mkdir(TOOLS, { recursive: true })
  console.log('  building helm with Go (once, some minutes) …')
  await runProgram('go', ['install', HELM_MODULE], { folder: TOOLS, variables: { GOBIN: TOOLS, GOFLAGS: '-mod=mod' } })
  return built
}
