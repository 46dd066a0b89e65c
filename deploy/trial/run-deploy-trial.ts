/** Tries the files of `deploy/`, or the named parts of them, below a folder: the program that `try-deploy.ts` contains. */
import { join } from 'node:path'
import { runProgram } from '../../setup/clients/run-program.ts'
import { runTrial, type TrialStep } from '../../setup/trials/trial-step.ts'
import { checkChart, checkCompose, checkUnits } from './check-files.ts'
import { checkSystemCalls } from './check-system-calls.ts'
import { runInstallationPage } from './run-installation-page.ts'
import { runPooledTests } from './run-pooled-tests.ts'
import { tryProxies } from './try-proxies.ts'

/** Apache-2.0 both; they bring the schemas of the Compose Specification and of Kubernetes. */
const VALIDATORS = ['check-jsonschema==0.39.0', 'kubernetes-validate==1.37.0']

const [folder = '', ...names] = process.argv.slice(2)
await runTrial(stepsWith(await validators()), names, folder)

function stepsWith(python: string): readonly TrialStep[] {
  return [
    { name: 'units', how: 'validated', run: checkUnits },
    { name: 'system-calls', how: 'real', run: checkSystemCalls },
    { name: 'compose', how: 'validated', run: (place) => checkCompose(place, python) },
    { name: 'helm', how: 'validated', run: (place) => checkChart(place, python) },
    { name: 'proxies', how: 'real', run: tryProxies },
    { name: 'pgbouncer', how: 'real', run: runPooledTests },
    { name: 'installation', how: 'real', run: runInstallationPage },
  ]
}

/** A virtual environment with the validators. */
async function validators(): Promise<string> {
  const python = join(folder, 'python')
  await runProgram('python3', ['-m', 'venv', python], { folder })
  await runProgram(join(python, 'bin', 'pip'), ['install', '--quiet', ...VALIDATORS], { folder })
  return python
}
