/** Writes the methods of the client, once for synchronous and once for asynchronous code. */
import type { Argument, ClientMethod, Iteration } from './client-methods.ts'
import { snakeCase } from './python-names.ts'
import { docstring, exploded, HEADER, indent, LINE_CHARACTERS_MAX, literal, wrap } from './python-text.ts'
import { qualified } from './write-operations.ts'

/** The two forms of the client. */
export type Form = 'sync' | 'async'

const TIMEOUT: Argument = {
  name: 'timeout',
  type: 'float',
  isRequired: false,
  description: 'Seconds to wait for the response of one attempt, in place of the setting of the client.',
  place: 'header',
}
const PAGE_SIZE = 'The number of items that one request reads.'
/** Two levels of indentation, and the name of the argument before its text. */
const ARGUMENT_WIDTH = LINE_CHARACTERS_MAX - 8

export function methodsModule(methods: readonly ClientMethod[], form: Form): string {
  const isAsync = form === 'async'
  const iterators = isAsync ? 'AsyncIterator, Awaitable' : 'Iterator'
  const suffix = isAsync ? '_async' : ''
  return [
    `"""The methods of the ${isAsync ? 'asynchronous' : 'synchronous'} client: one for each operation."""`,
    HEADER,
    `from collections.abc import ${iterators}`,
    'from datetime import date',
    'from typing import Literal, TypeVar',
    '',
    'from pydantic import AwareDatetime, BaseModel',
    '',
    'from .. import models',
    `from .._iteration import iterate_pages${suffix}, iterate_positions${suffix}`,
    'from .._operation import Arguments, Operation, PsuSession',
    'from . import operations',
    '',
    'T = TypeVar("T")',
    'M = TypeVar("M", bound=BaseModel)',
    '',
    '',
    `class ${isAsync ? 'AsyncMethods' : 'Methods'}:`,
    ...indent([
      '"""One method for each operation of the API; the arguments are those of the operation."""',
      '',
      ...callDeclarations(isAsync),
      ...methods.flatMap((method) => [
        '',
        ...callMethod(method, isAsync),
        ...(method.mediaTypes.length === 0 ? [] : ['', ...downloadMethod(method, isAsync)]),
        ...(method.iteration === undefined ? [] : ['', ...iterateMethod(method, method.iteration, isAsync)]),
      ]),
    ]),
    '',
  ].join('\n')
}

/** The methods that the client implements by hand. */
function callDeclarations(isAsync: boolean): readonly string[] {
  const result = (type: string) => (isAsync ? `Awaitable[${type}]` : type)
  return [
    `def _call(self, operation: Operation[T], arguments: Arguments) -> ${result('T')}:`,
    '    raise NotImplementedError',
    '',
    ...downloadDeclaration(isAsync),
    '    raise NotImplementedError',
    '',
    'def _iterate(',
    '    self, operation: Operation[T], arguments: Arguments, name: str, item: type[M]',
    `) -> ${isAsync ? 'AsyncIterator' : 'Iterator'}[M]:`,
    '    raise NotImplementedError',
  ]
}

function callMethod(method: ClientMethod, isAsync: boolean): readonly string[] {
  const list = [...method.arguments, TIMEOUT]
  return [
    ...signature(method.name, list, qualified(method.result), isAsync),
    ...indent([
      ...documentation(method, list),
      `return ${isAsync ? 'await ' : ''}self._call(`,
      ...indent([`operations.${method.constant},`, ...argumentsValue(list)]),
      ')',
    ]),
  ]
}

function downloadDeclaration(isAsync: boolean): readonly string[] {
  const list = ['self', 'operation: Operation[T]', 'arguments: Arguments', 'media_type: str']
  return isAsync
    ? ['def _download(', `    ${list.join(', ')}`, ') -> Awaitable[bytes]:']
    : [`def _download(${list.join(', ')}) -> bytes:`]
}

/** Reads the response in another format. */
function downloadMethod(method: ClientMethod, isAsync: boolean): readonly string[] {
  const mediaType: Argument = {
    name: 'media_type',
    type: `Literal[${method.mediaTypes.map(literal).join(', ')}]`,
    isRequired: true,
    description: 'The format.',
    place: 'header',
  }
  const list = [...method.arguments, TIMEOUT]
  const shown = [...method.arguments.filter(isPositional), mediaType, ...list.filter((each) => !isPositional(each))]
  return [
    ...signature(method.name.replace(/^list_/, 'download_'), shown, 'bytes', isAsync),
    ...indent([
      ...documentation(method, shown, `${method.operation.summary}, in another format than JSON`),
      `return ${isAsync ? 'await ' : ''}self._download(`,
      ...indent([`operations.${method.constant},`, ...argumentsValue(list), 'media_type,']),
      ')',
    ]),
  ]
}

/** Yields the items of a list. */
function iterateMethod(method: ClientMethod, iteration: Iteration, isAsync: boolean): readonly string[] {
  const isPaged = iteration.by !== 'elements'
  const filters = method.arguments.filter(({ name }) => name !== 'cursor' && (name !== 'limit' || !isPaged))
  const pageSize: Argument = { ...TIMEOUT, name: 'page_size', type: 'int', description: PAGE_SIZE }
  const list = [...filters, ...(isPaged ? [pageSize] : []), TIMEOUT]
  const type = `${isAsync ? 'AsyncIterator' : 'Iterator'}[${qualified(iteration.item)}]`
  const title = `${method.operation.summary}: yields one after the other`
  return [
    ...signature(method.name.replace(/^list_/, 'iterate_'), list, type, false),
    ...indent([
      ...documentation(method, list, title),
      ...(isPaged ? readPages(method, iteration, isAsync) : readElements(method, iteration)),
    ]),
  ]
}

function readPages(method: ClientMethod, { by, field }: Iteration, isAsync: boolean): readonly string[] {
  const position = by === 'cursor' ? 'cursor' : 'after'
  const function_ = `${by === 'cursor' ? 'iterate_pages' : 'iterate_positions'}${isAsync ? '_async' : ''}`
  const passed = [...method.arguments, TIMEOUT]
    .filter(({ name }) => name !== position && name !== 'limit')
    .map(({ name, place }) => (place === 'path' ? name : `${name}=${name}`))
  const call = [...passed, `${position}=position`, 'limit=page_size']
  return [
    `return ${function_}(`,
    ...indent([
      ...exploded(`lambda position: self.${method.name}(`, call, '),'),
      `lambda page: page.${field},`,
      ...(by === 'cursor' ? [] : ['after,']),
    ]),
    ')',
  ]
}

function readElements(method: ClientMethod, { wire, item }: Iteration): readonly string[] {
  return [
    'return self._iterate(',
    ...indent([
      `operations.${method.constant},`,
      ...argumentsValue([...method.arguments, TIMEOUT]),
      `${literal(wire)},`,
      `${qualified(item)},`,
    ]),
    ')',
  ]
}

function isPositional({ place }: Argument): boolean {
  return place === 'path' || place === 'body'
}

function signature(name: string, list: readonly Argument[], result: string, isAsync: boolean): readonly string[] {
  const declared = ({ name: argument, type, isRequired }: Argument) =>
    isRequired ? `${argument}: ${qualified(type)}` : `${argument}: ${qualified(type)} | None = None`
  const named = list.filter((each) => !isPositional(each))
  const items = ['self', ...list.filter(isPositional).map(declared), '*', ...sorted(named).map(declared)]
  return exploded(`${isAsync ? 'async ' : ''}def ${name}(`, items, `) -> ${result}:`)
}

/** Required ones first; Python does not demand it of named arguments, readers do. */
function sorted(list: readonly Argument[]): readonly Argument[] {
  return [...list.filter(({ isRequired }) => isRequired), ...list.filter(({ isRequired }) => !isRequired)]
}

function documentation(method: ClientMethod, list: readonly Argument[], title = method.operation.summary) {
  const described = [...list.filter(isPositional), ...sorted(list.filter((each) => !isPositional(each)))]
  const lines = described
    .filter(({ description }) => description !== '')
    .flatMap(({ name, description }) =>
      wrap(`    ${name}: ${description.replaceAll('\n', ' ')}`, ARGUMENT_WIDTH, '        '),
    )
  const text = [
    `${title.replace(/\.$/, '')}.`,
    ...(method.operation.description === undefined ? [] : ['', method.operation.description]),
  ]
  return docstring(text.join('\n'), 2, ['Args:', ...lines.map((line) => line.replaceAll('\\', '\\\\'))])
}

function argumentsValue(list: readonly Argument[]): readonly string[] {
  const dictionary = (place: Argument['place']) => {
    const located = list.filter((argument) => argument.place === place)
    const items = located.map(({ wire = '', name }) => `${literal(wire)}: ${name}`)
    return located.length === 0 ? [] : exploded(`${place}={`, items, '},')
  }
  const plain = list
    .filter(({ place }) => place === 'body' || place === 'header')
    .map(({ name }) => `${snakeCase(name)}=${name},`)
  return ['Arguments(', ...indent([...dictionary('path'), ...dictionary('query'), ...plain]), '),']
}
