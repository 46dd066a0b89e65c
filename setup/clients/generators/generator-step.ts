/** Makes a step of a generator: generates a client of every operation, compiles it, and pays an invoice with it. */
import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../source-files.ts'
import { type ClientEnvironment, type ClientOutcome, type ClientStep, gatewayVariables } from '../client-step.ts'

export type ClientGenerator = {
  readonly name: string
  readonly language: string
  /** The folder in `clients/`. */
  readonly project: string
  /** Where in the project the generated code is. */
  readonly generated: string
  generate(project: ClientProject): Promise<void>
  /** Matches the place in the generated code that calls an operation, or the path of its file. */
  callOf(operationId: string): RegExp
  /** Returns how it was compiled, or why it cannot be on this machine; throws when the code is wrong. */
  compile(project: ClientProject): Promise<string>
  /** Pays an invoice and returns what the program printed; absent where the code cannot be compiled. */
  pay?(project: ClientProject): Promise<string>
}

/** A copy of the project, with `HAVN_URL` and the credentials in the environment of every program. */
export type ClientProject = Pick<ClientEnvironment, 'folder' | 'run'>

const COMPLETED = /Payment \S+ is Completed\b/

export function generatorStep(generator: ClientGenerator): ClientStep {
  return {
    name: generator.name,
    title: `generates a client in ${generator.language}, and pays an invoice with it`,
    run: (environment) => useGenerator(generator, environment),
  }
}

async function useGenerator(generator: ClientGenerator, environment: ClientEnvironment): Promise<ClientOutcome> {
  const project = await createProject(generator, environment)
  const { url } = await environment.gateway()
  environment.report('installing and generating …')
  await generator.generate(project)
  const ids = await operationIdsOf(url)
  const code = await textOf(join(project.folder, generator.generated))
  const missing = ids.filter((id) => !generator.callOf(id).test(code))
  if (missing.length > 0) {
    throw new Error(`${missing.length} of ${ids.length} operations were not generated: ${missing.join(', ')}`)
  }
  environment.report(`${ids.length} of ${ids.length} operations; compiling …`)
  const compiled = await generator.compile(project)
  const paid = await payInvoice(generator, project, environment)
  return { language: generator.language, operations: `${ids.length}/${ids.length}`, compiled, paid }
}

/** Copies the project of a generator into the folder of the step. */
export async function createProject(
  generator: ClientGenerator,
  environment: ClientEnvironment,
): Promise<ClientProject> {
  const variables = await gatewayVariables(environment)
  await cp(join(ROOT, 'clients', generator.project), environment.folder, { recursive: true })
  return {
    folder: environment.folder,
    run: (program, options, changes = {}) =>
      environment.run(program, options, { ...changes, variables: { ...variables, ...changes.variables } }),
  }
}

async function payInvoice(
  generator: ClientGenerator,
  project: ClientProject,
  environment: ClientEnvironment,
): Promise<string> {
  if (generator.pay === undefined) {
    return 'no'
  }
  environment.report('paying an invoice …')
  const printed = await generator.pay(project)
  if (!COMPLETED.test(printed)) {
    throw new Error(`The program did not complete a payment; it printed:\n${printed}`)
  }
  return 'Completed'
}

/** The operations of the document that the gateway serves. */
async function operationIdsOf(url: string): Promise<readonly string[]> {
  const document: unknown = await (await fetch(`${url}/openapi.json`)).json()
  const operations = Object.values(Object(document).paths).flatMap((path) => Object.values(Object(path)))
  const ids = operations.map((operation) => Object(operation).operationId).filter((id) => typeof id === 'string')
  if (ids.length === 0) {
    throw new Error(`${url}/openapi.json has no operations`)
  }
  return ids
}

/** The text of a file, or of all files below a folder, each with its path before it. */
async function textOf(path: string): Promise<string> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch((error) => {
    if (Object(error).code === 'ENOTDIR') {
      return undefined
    }
    throw error
  })
  const files = entries?.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)) ?? [path]
  return (await Promise.all(files.map(async (file) => `${file}\n${await readFile(file, 'utf8')}`))).join('\n')
}
