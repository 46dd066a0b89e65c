{{- define "havn.labels" -}}
app.kubernetes.io/name: havn
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* The labels by which pods of a role are selected; the argument is the context and the role. */}}
{{- define "havn.selector" -}}
app.kubernetes.io/name: havn
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{- define "havn.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* What the containers of all roles have in common. */}}
{{- define "havn.container" -}}
image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secret, mountPath: /run/secrets/havn/main, readOnly: true }
  {{- if .Values.certificatesSecret }}
  - { name: certificates, mountPath: /run/secrets/havn/certificates, readOnly: true }
  {{- end }}
  - { name: temporary, mountPath: /tmp }
env:
  - { name: HAVN_DATABASE_URL_FILE, value: /run/secrets/havn/main/database-url }
  - { name: HAVN_MASTER_KEY_FILE, value: /run/secrets/havn/main/master.key }
  - { name: HAVN_DRAIN_SECONDS, value: {{ .Values.gateway.drainSeconds | quote }} }
  {{- range $name, $value := .Values.settings }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
{{- end }}

{{- define "havn.volumes" -}}
- name: secret
  secret: { secretName: {{ .Values.existingSecret }}, defaultMode: 0440 }
{{- if .Values.certificatesSecret }}
- name: certificates
  secret: { secretName: {{ .Values.certificatesSecret }}, defaultMode: 0440 }
{{- end }}
- name: temporary
  emptyDir: { sizeLimit: 256Mi }
{{- end }}

{{/* Pods of a role are on different hosts as far as there are enough. */}}
{{- define "havn.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "havn.selector" . | nindent 8 }}
{{- end }}
