import type { Pair } from '../pair.ts';
import { choice, integer, link, list, number, object, text, time } from './shape.ts';

const alert = object(
  {
    status: choice(['firing', 'resolved'], 'Whether this alert is firing or resolved'),
    startsAt: time('Time the alert started firing'),
    fingerprint: text('Fingerprint that identifies the alert'),
    generatorURL: link('Identifies the entity that caused the alert'),
    labels: object({ alertname: text('Name of the alerting rule') }, { severity: text(), instance: text() }),
    annotations: object({ summary: text('Short summary of the alert') }, { runbook_url: link() }),
  },
  { endsAt: time('Time the alert ended') },
);

/** There is a status of the group and one of each alert; start and end are alike but for a word. */
const alerts: Pair = {
  name: 'Prometheus Alertmanager webhook to notifications',
  source: object(
    {
      receiver: text('Name of the receiver that this goes to'),
      status: choice(['firing', 'resolved'], 'Firing where at least one alert of the group does'),
      externalURL: link('Backlink to the Alertmanager'),
      alerts: list(alert, 'The alerts of the group'),
    },
    { groupKey: text('Key of the group of alerts'), truncatedAlerts: integer(), version: text() },
    { title: 'Alert group' },
  ),
  target: object(
    {
      notifications: list(
        object(
          {
            key: text('Fingerprint of the alert'),
            heading: text('Short summary of the alert'),
            begun: time('Time at which the alert started'),
            state: choice(['firing', 'resolved'], 'Whether the alert is firing or resolved'),
          },
          {
            over: time('Time at which the alert ended'),
            rule: text('Name of the alerting rule'),
            escalation: integer('How many people were called before', { minimum: 0 }),
          },
        ),
        'One notification for each alert',
      ),
    },
    { console: link('Backlink to the Alertmanager that sent the group') },
    { title: 'Notifications' },
  ),
  right: {
    'notifications[].key': 'alerts[].fingerprint',
    'notifications[].heading': 'alerts[].annotations.summary',
    'notifications[].begun': 'alerts[].startsAt',
    'notifications[].state': 'alerts[].status',
    'notifications[].over': 'alerts[].endsAt',
    'notifications[].rule': 'alerts[].labels.alertname',
    console: 'externalURL',
  },
  expects: 'mapping',
  example: {
    payload: {
      receiver: 'night',
      status: 'firing',
      externalURL: 'https://alerts.example.org',
      alerts: [
        {
          status: 'resolved',
          startsAt: '2024-02-06T13:08:45Z',
          endsAt: '2024-02-06T13:20:00Z',
          fingerprint: '1a30ba71cca2921f',
          generatorURL: 'https://prometheus.example.org/graph',
          labels: { alertname: 'ProbeFailure', severity: 'critical' },
          annotations: { summary: 'The probe fails' },
        },
      ],
    },
    result: {
      notifications: [
        {
          key: '1a30ba71cca2921f',
          heading: 'The probe fails',
          begun: '2024-02-06T13:08:45Z',
          state: 'resolved',
          over: '2024-02-06T13:20:00Z',
          rule: 'ProbeFailure',
        },
      ],
      console: 'https://alerts.example.org',
    },
  },
};

/** Several may be assigned, and one must be the owner. */
const pagerduty: Pair = {
  name: 'PagerDuty incident to incident record',
  source: object(
    {
      id: text('Identifier of the incident object'),
      incident_number: integer('Number of the incident, unique across the account'),
      title: text('Succinct description of the nature of the incident'),
      created_at: time('When the incident was first triggered'),
      last_status_change_at: time('When the status of the incident last changed'),
      html_url: link('Where the incident is shown in the web application'),
      service: object({ id: text(), summary: text('Name of the service that the incident is of') }),
      assignments: list(
        object({
          at: time('When the incident was assigned'),
          assignee: object({ id: text(), summary: text('Name of the user assigned to the incident') }),
        }),
        'Users that the incident is currently assigned to',
      ),
    },
    { urgency: choice(['high', 'low'], 'Current urgency of the incident') },
    { title: 'Incident' },
  ),
  target: object(
    {
      number: integer('Incident number, as people quote it'),
      headline: text('What happened, in a few words'),
      opened: time('When the incident began'),
      owner: text('Name of the user who is assigned to the incident'),
    },
    {
      service: text('Service that is affected'),
      page: link('Link for those who want to follow it'),
      customersAffected: integer('How many customers noticed', { minimum: 0 }),
    },
    { title: 'Incident record' },
  ),
  right: {
    number: 'incident_number',
    headline: 'title',
    opened: 'created_at',
    service: 'service.summary',
    page: 'html_url',
  },
  expects: 'ambiguous',
};

/** Five priorities are not three urgencies: somebody has to say which becomes which. */
const opsgenie: Pair = {
  name: 'Opsgenie alert to ServiceNow incident',
  source: object(
    {
      alertId: text('Identifier of the alert'),
      message: text('Message of the alert', { maxLength: 130 }),
      priority: choice(['P1', 'P2', 'P3', 'P4', 'P5'], 'Priority of the alert'),
      createdAt: time('When the alert was created'),
    },
    {
      description: text('Describes the alert in detail', { maxLength: 15_000 }),
      entity: text('What the alert is related to'),
      count: number('How often the alert occurred'),
    },
    { title: 'Alert' },
  ),
  target: object(
    {
      short_description: text('A brief description of the incident', { maxLength: 160 }),
      priority: choice(['high', 'medium', 'low'], 'Priority of the incident'),
    },
    {
      description: text('A full account of the incident'),
      correlation_id: text('ID of the alert in the monitoring system'),
      close_notes: text(),
    },
    { title: 'Incident' },
  ),
  right: { short_description: 'message', description: 'description', correlation_id: 'alertId' },
  expects: 'none',
};

export const operations: readonly Pair[] = [alerts, pagerduty, opsgenie];
