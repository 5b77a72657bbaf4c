function Get-Whole {
    param([string] $Name)
    "whole $Name"
}

function Get-Half {
    param([string] $Name,
    if ($Name) {
        Get-Whole -Name $Name

class Half {
    [int] $Count
