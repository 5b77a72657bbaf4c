BeforeAll {
    . $PSCommandPath.Replace('.Tests.ps1', '.ps1')
    Import-Module "$PSScriptRoot\Shop.psm1"
}

Describe 'Add-Book' -Tag 'slow' {
    Context "when there is none" {
        It 'adds it' {
            $found = Add-Book -Title 'A'
            $found.Title | Should -Be 'A'
        }
    }
}
