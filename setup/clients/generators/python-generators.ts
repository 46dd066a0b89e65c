/** Lists the generators of Python, from PyPI. */
import { join } from 'node:path'
import { ensurePython } from '../ensure-python.ts'
import type { ClientGenerator, ClientProject } from './generator-step.ts'
import { generateCommand } from './openapi-generator.ts'

export const openApiPythonClient: ClientGenerator = {
  name: 'openapi-python-client',
  language: 'Python',
  project: 'python-openapi-python-client',
  generated: 'havn_client/api',
  generate: async (project) => {
    await installWithPip(project)
    const command =
      'openapi-python-client generate --url "$HAVN_URL/openapi.json" --meta none --output-path havn_client'
    await project.run('sh', ['-c', command], inEnvironment(project))
  },
  callOf: (operationId) => new RegExp(`/${snakeCase(operationId)}\\.py$`, 'm'),
  compile: compileWithPyright,
  pay: (project) => project.run('python', ['pay_invoice.py'], inEnvironment(project)),
}

/** The same program as for Java, as a package of PyPI that brings its own Java. */
export const openApiGeneratorPython: ClientGenerator = {
  ...openApiPythonClient,
  name: 'openapi-generator-python',
  project: 'python-openapi-generator',
  generated: 'havn_client/api',
  generate: async (project) => {
    await installWithPip(project)
    const commands = `python download_document.py && openapi-generator-cli ${generateCommand('openapi.json')}`
    await project.run('sh', ['-c', commands], inEnvironment(project))
  },
  callOf: (operationId) => new RegExp(`^    def ${snakeCase(operationId)}\\($`, 'm'),
  compile: async (project) => {
    // Its own classes do not pass a type checker: the program that uses them does, and all of them are imported.
    const modules =
      'import pkgutil, havn_client as c; [__import__(m.name) for m in pkgutil.walk_packages(c.__path__, "havn_client.")]'
    await project.run('python', ['-W', 'error::SyntaxWarning', '-c', modules], inEnvironment(project))
    return `${await compileWithPyright(project)}, imported`
  },
}

/** Into a virtual environment of the project. */
async function installWithPip(project: ClientProject): Promise<void> {
  await ensurePython(project.folder)
  await project.run('python3', ['-m', 'venv', '.venv'])
  await project.run('python', ['-m', 'pip', 'install', '--quiet', '-r', 'requirements.txt'], inEnvironment(project))
}

async function compileWithPyright(project: ClientProject): Promise<string> {
  await project.run('pyright', ['--warnings'], inEnvironment(project))
  return 'pyright'
}

function inEnvironment({ folder }: ClientProject) {
  return { variables: { PATH: `${join(folder, '.venv', 'bin')}:${process.env['PATH'] ?? ''}` } }
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
