import type { Template } from './template.ts';

/** Resource types that the local cloud runs. */
const RUN = new Set([
  'AWS::ApiGateway::BasePathMapping',
  'AWS::ApiGateway::DomainName',
  'AWS::ApiGateway::GatewayResponse',
  'AWS::ApiGateway::Method',
  'AWS::ApiGateway::Resource',
  'AWS::ApiGateway::RestApi',
  'AWS::ApiGateway::Stage',
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::Events::Rule',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Pipes::Pipe',
  'AWS::S3::Bucket',
  'AWS::S3::BucketPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::SSM::Parameter',
  'AWS::Scheduler::Schedule',
  'AWS::SecretsManager::Secret',
  'AWS::StepFunctions::StateMachine',
  'AWS::StepFunctions::StateMachineAlias',
  'AWS::StepFunctions::StateMachineVersion',
]);

/**
 * Resource types that have no effect on this machine. The boot stops at any type that is in neither list. A
 * resource that is silently left out would make the sandbox differ from AWS.
 */
const IGNORED = new Set([
  'AWS::ApiGateway::Account',
  'AWS::ApiGateway::BasePathMappingV2',
  'AWS::ApiGateway::Deployment',
  'AWS::ApiGateway::Model',
  'AWS::ApiGateway::UsagePlan',
  'AWS::Backup::BackupPlan',
  'AWS::Backup::BackupSelection',
  'AWS::Backup::BackupVault',
  'AWS::Budgets::Budget',
  'AWS::CDK::Metadata',
  'AWS::CertificateManager::Certificate',
  'AWS::CloudTrail::Trail',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::DynamoDB::TablePolicy',
  'AWS::IAM::InstanceProfile',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::Logs::QueryDefinition',
  'AWS::Logs::ResourcePolicy',
  'AWS::Logs::SubscriptionFilter',
  'AWS::ResourceGroups::Group',
  'AWS::Route53::RecordSet',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::Scheduler::ScheduleGroup',
  'AWS::SecretsManager::ResourcePolicy',
  'AWS::SecretsManager::RotationSchedule',
  'AWS::WAFv2::WebACL',
  'AWS::WAFv2::WebACLAssociation',
  'AWS::XRay::Group',
  'AWS::XRay::SamplingRule',
  'Custom::LogRetention',
  'Custom::S3AutoDeleteObjects',
]);

export function refuseUnknown(template: Template): void {
  const unknown = [...template.resources.values()].filter(({ type }) => !RUN.has(type) && !IGNORED.has(type));
  if (unknown.length === 0) return;
  const names = unknown.map(({ logicalId, type }) => `${logicalId} (${type})`).join(', ');
  throw new Error(`The local cloud does not know these resources of the template: ${names}`);
}
