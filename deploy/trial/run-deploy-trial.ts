/** Tries the files of `deploy/`, or the named parts of them, below a folder: the program that `try-deploy.ts` contains. */
import { createVenv } from '../../setup/clients/ensure-programs.ts'
import { runTrial, type TrialStep } from '../../setup/trials/trial-step.ts'
import { checkChart, checkCompose, checkUnits } from './check-files.ts'
import { checkSystemCalls } from './check-system-calls.ts'
import { runInstallationPage } from './run-installation-page.ts'
import { runPooledTests } from './run-pooled-tests.ts'
import { tryProxies } from './try-proxies.ts'

/** Apache-2.0 both; they bring the schemas of the Compose Specification and of Kubernetes. */
const VALIDATORS = ['check-jsonschema==0.39.0', 'kubernetes-validate==1.37.0']

const [folder = '', ...names] = process.argv.slice(2)
await runTrial(stepsWith(await createVenv(folder, 'python', VALIDATORS)), names, folder)

function stepsWith(programs: string): readonly TrialStep[] {
  return [
    { name: 'units', how: 'validated', run: checkUnits },
    { name: 'system-calls', how: 'real', run: checkSystemCalls },
    { name: 'compose', how: 'validated', run: (place) => checkCompose(place, programs) },
    { name: 'helm', how: 'validated', run: (place) => checkChart(place, programs) },
    { name: 'proxies', how: 'real', run: tryProxies },
    { name: 'pgbouncer', how: 'real', run: runPooledTests },
    { name: 'installation', how: 'real', run: runInstallationPage },
  ]
}
