{{- define "rollcall.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "rollcall.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "rollcall.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "rollcall.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "rollcall.host" -}}
{{- regexReplaceAll "^https?://([^/:]+).*$" .Values.externalUrl "${1}" }}
{{- end }}

{{- /* The paths of the service, one per line. The second is where identity providers look for the metadata of an issuer with a path (RFC 8414). */}}
{{- define "rollcall.paths" -}}
{{- $path := regexReplaceAll "^https?://[^/]+(/.*[^/])?/*$" .Values.externalUrl "${1}" -}}
{{ $path | default "/" }}
{{- if $path }}
/.well-known/oauth-authorization-server{{ $path }}
{{- end }}
{{- end }}
