/** Renders the Helm chart with helm, built by Go, and validates its manifests by the schemas of Kubernetes. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { isOnPath, runProgram } from '../../setup/clients/run-program.ts'
import { ROOT } from '../../setup/source-files.ts'
import { NotRunError } from '../../setup/trials/trial-step.ts'

const CHART = join(ROOT, 'deploy', 'helm', 'havn')
const HELM_MODULE = 'helm.sh/helm/v3/cmd/helm@v3.19.5'
/** Stored for later runs: building it takes minutes. */
const TOOLS = join(ROOT, 'node_modules', '.cache', 'deploy-tools')
const KUBERNETES = '1.34'
const VALUES = [[], ['--set', 'ingress.enabled=true', '--set', 'certificatesSecret=havn-certificates']]
/** The schema of the values rejects each of these. */
const INVALID = ['settings.HAVN_BASE_URL=http://havn.example', 'gateway.replica=2', 'gateway.replicas=0']

/** `python` is the folder of a virtual environment with kubernetes-validate. */
export async function checkChart(folder: string, python: string): Promise<string> {
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
    const validate = join(python, 'bin', 'kubernetes-validate')
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
