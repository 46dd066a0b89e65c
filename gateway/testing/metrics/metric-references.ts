/** Finds the metrics and labels that an expression of PromQL names, and compares them with those that exist. */
import { openMetricsOfModules } from '../../../launcher/roles/open-context.ts'

/** The labels that Prometheus adds to what it scrapes, and to the bounds of histograms. */
const ADDED_LABELS = ['job', 'instance', 'le']
/** Series that Prometheus makes itself, with their labels. */
const OF_PROMETHEUS: Readonly<Record<string, readonly string[]>> = {
  up: ADDED_LABELS,
  ALERTS: ['alertname', 'alertstate', 'severity'],
}

const { registry } = openMetricsOfModules({ processMetrics: true })

/** The label names of a metric, also by the name of a histogram's series; undefined when there is none. */
export function labelsOf(name: string): readonly string[] | undefined {
  const metric = registry.getSingleMetric(name) ?? registry.getSingleMetric(name.replace(/_(count|sum|bucket)$/, ''))
  return metric === undefined
    ? OF_PROMETHEUS[name]
    : [...String(Reflect.get(metric, 'labelNames')).split(',').filter(Boolean), ...ADDED_LABELS]
}

type Selector = { readonly name: string; readonly labels: readonly string[] }

function selectorsIn(expression: string): readonly Selector[] {
  return [...expression.matchAll(/\b((?:havn|nodejs|process)_\w+|up|ALERTS)\b(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => ({
      name,
      labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!=|!~|=)/g)].map(([, label = '']) => label),
    }),
  )
}

/** The labels by which an expression groups: those that its result has. */
export function groupedLabels(expression: string): readonly string[] {
  return [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '))
}

/** What an expression names and does not exist; an expression without any metric is one finding. */
export function missingIn(expression: string): readonly string[] {
  const selectors = selectorsIn(expression)
  const known = selectors.flatMap(({ name }) => labelsOf(name) ?? [])
  return [
    ...(selectors.length === 0 ? [`no metric in ${expression}`] : []),
    ...selectors.filter(({ name }) => labelsOf(name) === undefined).map(({ name }) => name),
    ...selectors.flatMap(({ name, labels }) =>
      labels.filter((label) => labelsOf(name)?.includes(label) === false).map((label) => `${name}{${label}}`),
    ),
    ...groupedLabels(expression)
      .filter((label) => !known.includes(label))
      .map((label) => `by ${label}`),
  ]
}
